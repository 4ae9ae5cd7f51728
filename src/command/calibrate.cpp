#include "command/command.hpp"
#include "command/measurements.hpp"
#include "command/progress.hpp"
#include "command/whole_file.hpp"
#include "input/json/json_document.hpp"
#include "report/calibration_report.hpp"
#include "report/format.hpp"
#include "study/calibration.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

const CLI::Validator not_empty([](const std::string& text) { return text.empty() ? "got \"\", expected a value" : ""; },
                               "");

void declare(CLI::App& app, Options& options) {
  app.add_option("FILE", options.files,
                 "scenarios with measured references (.json), logs of IMB or OSU, or tables as CSV")
      ->required()
      ->expected(1, 100);
  app.add_option("--regimes", options.most_regimes, "the most regimes; default: 4")->check(CLI::Range(1, 16));
  app.add_option("--rendezvous", options.rendezvous, "first size that takes three trips, such as \"2 KiB\"");
  app.add_option("--platform", options.platform_file,
                 "logs: the platform on which they were measured; default: that of --merge, if any")
      ->check(not_empty);
  app.add_option("--fabric", options.fabric, "logs: the fabric of that platform; needed if it has several")
      ->check(not_empty);
  app.add_option("--ranks", options.ranks,
                 "logs: the two devices, such as node0.cpu0,node1.cpu0; needed if paths between nodes differ")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(not_empty);
  app.add_option("--benchmark", options.benchmarks,
                 "logs: the benchmarks of tables that do not name it, such as CSV: imb-pingpong or osu-latency,osu-bw")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(not_empty);
  app.add_option("--adjustments", options.adjustments,
                 "instead of regimes, fit what these adjustments of the fabric add (by index)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--merge", options.merge, "print this platform file, which was calibrated, with the values merged in")
      ->check(not_empty);
  app.add_flag("--write", options.write, "with --merge: overwrite the file");
  declare_format(app, options, formats_with(&ReportFormat::calibration));
  declare_jobs(app, options);
  app.add_flag("--quiet", options.quiet, "no progress");
}

// What is wrong with options whatever the files are.
Errors check_options(const Options& options) {
  Errors errors;
  const auto fault = [&](bool is_wrong, std::string message) {
    if (is_wrong)
      errors.push_back(usage_fault(std::move(message)));
  };
  fault(options.write && options.merge.empty(), "--write needs --merge PLATFORM");
  fault(!options.merge.empty() && options.format != "table",
        "--format does not go with --merge, which prints a platform");
  if (options.rendezvous && !parse_bytes(*options.rendezvous))
    fault(true, "--rendezvous: " + mismatch(in_quotes(*options.rendezvous), expected_bytes(*options.rendezvous)));
  const bool tunes = !options.adjustments.empty();
  fault(tunes && options.rendezvous, "--rendezvous does not go with --adjustments, which fits no regimes");
  fault(tunes && options.most_regimes, "--regimes does not go with --adjustments, which fits no regimes");
  std::set<int> indices;
  for (const int index : options.adjustments)
    fault(!indices.insert(index).second,
          fmt::format("--adjustments: got {} twice, expected each index only once", index));
  return errors;
}

// What is wrong with options for these scenarios.
Errors check_options(const Options& options, const Scenario& scenario) {
  Errors errors;
  const auto& platform = *scenario.platform;
  const auto& fabric = *find_fabric(platform, scenario.fabric);
  const int count = static_cast<int>(fabric.adjustments.size());
  for (const int index : options.adjustments)
    if (index < 0 || index >= count)
      errors.push_back(
          usage_fault(fmt::format("--adjustments: got {}, but fabric {} has {} of them", index, fabric.name, count)));
  std::error_code status;
  if (!options.merge.empty() && !std::filesystem::equivalent(options.merge, platform.file, status))
    errors.push_back(usage_fault("--merge: " + mismatch(in_quotes(options.merge), "the platform that is calibrated, " +
                                                                                      in_quotes(platform.file))));
  if (!options.fabric.empty() && options.fabric != fabric.name)
    errors.push_back(usage_fault("--fabric: " + mismatch(in_quotes(options.fabric),
                                                         "the fabric that is calibrated, " + in_quotes(fabric.name))));
  return errors;
}

// Prints the merged platform, or overwrites the file.
int deliver(const std::string& merged, const Options& options, const Streams& streams) {
  if (!options.write)
    streams.out << merged;
  else if (const auto errors = replace_file(options.merge, merged); !errors.empty())
    return report_errors(errors, streams);
  return 0;
}

// Prints what was found, or merges it into the platform and prints a summary beside it.
template <class Found>
int tell(const Found& found, const std::string& fabric, const Options& options, const Streams& streams) {
  if (options.merge.empty()) {
    const auto& format = *find_format(options.format);
    if constexpr (std::is_same_v<Found, CalibrationRecord>)
      format.calibration(found, fabric, streams.out);
    else
      format.adjustments(found, fabric, streams.out);
    return 0;
  }
  const auto platform = read_text(options.merge);
  if (!platform)
    return report_errors(platform.errors(), streams);
  write_table(found, fabric, streams.err);
  return deliver(merge(*platform, fabric, found), options, streams);
}

Result<CalibrationRecord> fit_regimes(std::span<const Scenario> scenarios, const Options& options, int jobs,
                                      const Streams& streams) {
  CalibrationOptions wanted;
  wanted.most_regimes = options.most_regimes.value_or(wanted.most_regimes);
  if (options.rendezvous)
    wanted.rendezvous = parse_bytes(*options.rendezvous);
  const Progress progress(streams.err, "calibrate: step", options.quiet);
  return calibrate_regimes(scenarios, wanted, jobs, std::cref(progress));
}

int calibrate_files(const Options& options, const Streams& streams) {
  if (const auto errors = check_options(options); !errors.empty())
    return report_errors(errors, streams);
  const auto measured = read_measurements(options);
  if (!measured)
    return report_errors(measured.errors(), streams);
  const auto& first = measured->scenarios.front();
  if (const auto errors = check_options(options, first); !errors.empty())
    return report_errors(errors, streams);
  for (const auto& note : measured->notes)
    streams.err << "note: " << note << '\n';
  const int jobs = jobs_of(options);
  if (!options.adjustments.empty()) {
    const std::vector<std::size_t> indices(options.adjustments.begin(), options.adjustments.end());
    const auto tuned = tune_adjustments(measured->scenarios, indices, jobs);
    return tuned ? tell(*tuned, first.fabric, options, streams) : report_errors(tuned.errors(), streams);
  }
  const auto record = fit_regimes(measured->scenarios, options, jobs, streams);
  return record ? tell(*record, first.fabric, options, streams) : report_errors(record.errors(), streams);
}

} // namespace

const Command calibrate_command{
    "calibrate", "fit the regimes of a fabric to measured curves",
    "  kakehashi calibrate scenarios/hpcdiy-qdr/latency-gbe.json scenarios/hpcdiy-qdr/bw-gbe.json\n"
    "  kakehashi calibrate --rendezvous \"2 KiB\" --format json my-latency.json my-bw.json\n"
    "  kakehashi calibrate pingpong.log osu-bw.log\n"
    "  kakehashi calibrate --merge mine.json --fabric ib pingpong.log\n"
    "  kakehashi calibrate --platform mine.json --fabric ib --ranks n1.cpu,n2.cpu pingpong.log osu-bw.log\n",
    declare, calibrate_files};

} // namespace kakehashi
