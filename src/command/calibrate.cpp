#include "command/command.hpp"
#include "input/scenario_reader.hpp"
#include "report/calibration_report.hpp"
#include "study/calibration.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <thread>

namespace kakehashi {
namespace {

void declare(CLI::App& app, Options& options) {
  app.add_option("SCENARIO", options.files, "scenarios with measured references, on one fabric")
      ->required()
      ->expected(1, 100);
  app.add_option("--regimes", options.most_regimes, "regimes at most")->check(CLI::Range(1, 16))->capture_default_str();
  app.add_option("--rendezvous", options.rendezvous, "first size that takes three trips, such as \"2 KiB\"");
  app.add_option("--adjustments", options.adjustments,
                 "fit what these adjustments of the fabric add (by index), not regimes")
      ->delimiter(',');
  app.add_option("--merge", options.merge, "print this platform file with the values merged in");
  app.add_flag("--write", options.write, "with --merge: overwrite the file");
  app.add_option("--format", options.format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "processes at a time; one for each core if left out")
      ->check(CLI::Range(1, 1024));
}

Result<std::vector<Scenario>> read_all(const std::vector<std::string>& files) {
  std::vector<Scenario> scenarios;
  Errors errors;
  for (const auto& file : files) {
    auto scenario = read_scenario(file);
    if (!scenario)
      errors.insert(errors.end(), scenario.errors().begin(), scenario.errors().end());
    else
      scenarios.push_back(std::move(*scenario));
  }
  for (const auto& scenario : scenarios)
    if (scenario.fabric != scenarios.front().fabric || scenario.platform->file != scenarios.front().platform->file)
      errors.push_back({ErrorKind::input, scenario.file, "/fabric",
                        mismatch(in_quotes(scenario.fabric) + " of " + scenario.platform->file,
                                 "the fabric and platform of " + scenarios.front().file),
                        ""});
  if (!errors.empty())
    return errors;
  return scenarios;
}

// Prints the merged platform, or overwrites the file.
int deliver(const std::string& merged, const Options& options, const Streams& streams) {
  if (!options.write) {
    streams.out << merged;
    return 0;
  }
  std::ofstream file(options.merge, std::ios::binary);
  file << merged;
  file.close();
  if (!file)
    return report_errors({{ErrorKind::run, options.merge, "", "cannot be written", ""}}, streams);
  return 0;
}

int calibrate_scenarios(const Options& options, const Streams& streams) {
  const auto usage = [&](std::string message) {
    return report_errors({{ErrorKind::usage, "", "", std::move(message), ""}}, streams);
  };
  if (options.write && options.merge.empty())
    return usage("--write needs --merge PLATFORM");
  CalibrationOptions wanted;
  wanted.most_regimes = options.most_regimes;
  if (!options.rendezvous.empty() && !(wanted.rendezvous = parse_bytes(options.rendezvous)))
    return usage("--rendezvous: " + mismatch(in_quotes(options.rendezvous), bytes_form));
  const auto scenarios = read_all(options.files);
  if (!scenarios)
    return report_errors(scenarios.errors(), streams);
  const auto& fabric = *find_fabric(*scenarios->front().platform, scenarios->front().fabric);
  for (const auto index : options.adjustments)
    if (index >= fabric.adjustments.size())
      return usage(fmt::format("--adjustments: got {}, but fabric {} has {} of them", index, fabric.name,
                               fabric.adjustments.size()));
  const auto merge_into = options.merge.empty() ? Result<std::string>(std::string()) : read_text(options.merge);
  if (!merge_into)
    return report_errors(merge_into.errors(), streams);
  const int jobs =
      options.jobs > 0 ? options.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));

  if (!options.adjustments.empty()) {
    const auto tuned = tune_adjustments(*scenarios, options.adjustments, jobs);
    if (!tuned)
      return report_errors(tuned.errors(), streams);
    write_curves(tuned->curves, options.merge.empty() ? streams.out : streams.err);
    return options.merge.empty()
               ? 0
               : deliver(merge_adjustments(*merge_into, fabric.name, tuned->indices, tuned->adjustments), options,
                         streams);
  }
  const auto record = calibrate_regimes(*scenarios, wanted, jobs);
  if (!record)
    return report_errors(record.errors(), streams);
  if (options.merge.empty()) {
    write(*record, fabric.name, *from_name<Format>(format_names, options.format), streams.out);
    return 0;
  }
  write(*record, fabric.name, Format::table, streams.err);
  return deliver(merge_regimes(*merge_into, fabric.name, *record), options, streams);
}

} // namespace

const Command calibrate_command{
    "calibrate", "find the regimes of a fabric from measured curves",
    "  kakehashi calibrate scenarios/hpcdiy-qdr/latency-gbe.json scenarios/hpcdiy-qdr/bw-gbe.json\n"
    "  kakehashi calibrate --rendezvous \"2 KiB\" --format json my-latency.json my-bw.json\n"
    "  kakehashi calibrate --merge my-platform.json --write my-pingpong.json\n",
    declare, calibrate_scenarios};

} // namespace kakehashi
