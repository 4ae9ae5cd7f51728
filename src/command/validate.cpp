#include "base/data_folder.hpp"
#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/shared_options.hpp"
#include "command/shell/terminal.hpp"
#include "input/catalogue/catalogue_reader.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "report/format.hpp"
#include "report/page/pages.hpp"
#include "study/fit/fit_parts.hpp"
#include "study/score/score.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

struct ValidateArguments {
  std::vector<std::string> names;
  ReportArguments report;
  std::string format = "table";
  bool sensitivity = false;
  bool faults_only = false;
  std::optional<bool> large;
  int jobs = 0;
  std::string data; // a folder with platforms/ and scenarios/; empty: the shipped one
  bool quiet = false;
};

OptionRows validate_rows(ValidateArguments& options) {
  return {
      {"PLATFORM", "a platform's name, or scenarios with references (.json); default: all", &options.names},
      format_row(options.format, format_names()),
      {"--sensitivity",
       "halve and double each number of the platforms, and show which verdicts turn and which role of each line "
       "that gives; takes minutes",
       &options.sensitivity},
      {"--faults", "with --sensitivity: vary only what it takes to find faults of the declared roles; much quicker",
       &options.faults_only},
      {"--no-large", "leave out claims of thousands of ranks, which take two minutes of processor time",
       &options.large},
      {"--large", "with --sensitivity: vary these claims, too; takes many hours", &options.large},
      report_rows(options.report),
      jobs_row(options.jobs),
      {"--data", "the folder with platforms/ and scenarios/; default: Kakehashi's own", &options.data},
      {"--quiet", "no progress", &options.quiet},
  };
}

int show_sensitivity(const Catalogue& catalogue, const ValidateArguments& options, const Team& team,
                     const Streams& streams) {
  Sensitivity found;
  {
    Progress progress(streams, "validate: run", options.quiet);
    found =
        sensitivity(catalogue, options.large.value_or(false), options.faults_only ? Depth::faults : Depth::everything,
                    jobs_of(options.jobs), &team, std::ref(progress));
  }
  print_report(report_of(found), options.format, streams);
  return found.faulty() > 0 ? 1 : 0;
}

Page page_with_curves(const Validation& validation, const Catalogue& catalogue, int jobs) {
  std::vector<Scenario> scenarios;
  for (const auto& curve : catalogue.curves)
    scenarios.push_back(curve.scenario);
  return page_of(validation, predict_curves(scenarios, jobs));
}

// Returns scenarios without targets.
Result<Catalogue> catalogue_of(const std::vector<std::string>& files) {
  Catalogue catalogue;
  Errors errors;
  for (const auto& file : files) {
    auto scenario = read_scenario(file);
    if (!scenario)
      append(errors, scenario.errors());
    else if (!scenario->reference)
      errors.push_back(
          file_error(ErrorKind::input, file, mismatch("no reference", "a measured curve to compare with")));
    else
      catalogue.curves.push_back({std::move(*scenario), std::nullopt});
  }
  if (!errors.empty())
    return errors;
  return catalogue;
}

// Returns the lines to compare with measurements: the shipped ones of all platforms or of one, or the given scenarios.
Result<Catalogue> read_what_is_named(const ValidateArguments& options) {
  const auto& names = options.names;
  if (std::ranges::any_of(names, [](const std::string& name) { return name.ends_with(".json"); })) {
    if (options.sensitivity || !options.data.empty())
      return usage_error("--sensitivity and --data do not go with scenarios");
    return catalogue_of(names);
  }
  if (names.size() > 1)
    return usage_error(mismatch(counted(names.size(), "platform"), "one, or scenarios"));
  const auto data = options.data.empty() ? find_data_folder() : Result<std::string>(options.data);
  return data ? read_catalogue(*data, names.empty() ? "all" : names.front()) : data.errors();
}

int validate_with(const Team& team, const ValidateArguments& options, const Streams& streams) {
  if (options.sensitivity && wants_report(options.report))
    return report_errors({usage_error("--report and --plot do not go with --sensitivity")}, streams);
  if (options.faults_only && !options.sensitivity)
    return report_errors({usage_error("--faults goes with --sensitivity")}, streams);
  if (const auto errors = check_report(options.report); !errors.empty())
    return report_errors(errors, streams);
  const auto catalogue = read_what_is_named(options);
  if (!catalogue)
    return report_errors(catalogue.errors(), streams);
  if (options.sensitivity)
    return show_sensitivity(*catalogue, options, team, streams);
  Validation validation;
  {
    Progress progress(streams, "validate: run", options.quiet);
    validation = validate(*catalogue, options.large.value_or(true), jobs_of(options.jobs), &team, std::ref(progress));
  }
  print_report(report_of(validation), options.format, streams);
  streams.out.flush(); // child processes would print it again
  if (team.rank() > 0)
    return 0;
  const auto errors = write_reports(options.report, streams,
                                    [&] { return page_with_curves(validation, *catalogue, jobs_of(options.jobs)); });
  if (!errors.empty())
    return report_errors(errors, streams);
  return validation.count(Verdict::fail) > 0 ? 1 : 0;
}

// All processes that mpirun started come here; only the first one prints.
int validate_all(const ValidateArguments& options, const Streams& streams) {
  const Team team(!streams.faults); // a calling program may have joined them itself
  std::ostream nowhere(nullptr);
  const Streams silent{nowhere, nowhere};
  const auto& own = team.rank() == 0 ? streams : silent;
  return team.errors().empty() ? validate_with(team, options, own) : report_errors(team.errors(), own);
}

} // namespace

const Command validate_command{"validate", "compare predictions with every measured curve and every claim",
                               "  kakehashi validate\n"
                               "  kakehashi validate hpcdiy-qdr --format csv\n"
                               "  kakehashi validate my-allreduce.json my-alltoall.json\n"
                               "  kakehashi validate --sensitivity tca-mic\n"
                               "  mpirun -n 64 kakehashi validate --sensitivity fx10-tofu --large\n",
                               takes(validate_rows, validate_all)};

} // namespace kakehashi
