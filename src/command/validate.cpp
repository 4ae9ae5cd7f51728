#include "command/command.hpp"
#include "command/data_folder.hpp"
#include "command/progress.hpp"
#include "input/catalogue/catalogue_reader.hpp"
#include "report/format.hpp"
#include "study/validation.hpp"

#include <CLI/CLI.hpp>

namespace kakehashi {
namespace {

void declare(CLI::App& app, Options& options) {
  app.add_option("PLATFORM", options.platform, "a platform's name, or all")->capture_default_str();
  declare_format(app, options, formats_with(&ReportFormat::validation));
  app.add_flag("--large", options.large, "also run claims of thousands of ranks; takes half an hour");
  declare_jobs(app, options);
  app.add_option("--data", options.data, "the folder with platforms/ and scenarios/; default: Kakehashi's own");
  app.add_flag("--quiet", options.quiet, "no progress");
}

int validate_all(const Options& options, const Streams& streams) {
  const auto data = options.data.empty() ? find_data_folder() : Result<std::string>(options.data);
  if (!data)
    return report_errors(data.errors(), streams);
  const auto catalogue = read_catalogue(*data, options.platform);
  if (!catalogue)
    return report_errors(catalogue.errors(), streams);
  Validation validation;
  {
    const Progress progress(streams.err, "validate: run", options.quiet);
    validation = validate(*catalogue, options.large, jobs_of(options), std::cref(progress));
  }
  find_format(options.format)->validation(validation, streams.out);
  return validation.count(Verdict::fail) > 0 ? 1 : 0;
}

} // namespace

const Command validate_command{"validate", "compare predictions with every measured curve and every claim",
                               "  kakehashi validate\n"
                               "  kakehashi validate hpcdiy-qdr --format csv\n",
                               declare, validate_all};

} // namespace kakehashi
