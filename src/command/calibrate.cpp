#include "command/command.hpp"
#include "input/log_scenario.hpp"
#include "input/platform_reader.hpp"
#include "input/scenario_reader.hpp"
#include "report/calibration_report.hpp"
#include "study/calibration.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <thread>

namespace kakehashi {
namespace {

void declare(CLI::App& app, Options& options) {
  app.add_option("FILE", options.files,
                 "scenarios with measured references (.json), logs of IMB or OSU, or tables as CSV")
      ->required()
      ->expected(1, 100);
  app.add_option("--regimes", options.most_regimes, "regimes at most")->check(CLI::Range(1, 16))->capture_default_str();
  app.add_option("--rendezvous", options.rendezvous, "first size that takes three trips, such as \"2 KiB\"");
  app.add_option("--platform", options.platform_file,
                 "logs: the platform that they were measured on; unknown if left out");
  app.add_option("--fabric", options.fabric, "logs: the fabric of that platform; with --merge: the one to merge into");
  app.add_option("--ranks", options.ranks, "logs: the two devices, such as node0.cpu0,node1.cpu0")->delimiter(',');
  app.add_option("--benchmark", options.benchmark, "CSV: the benchmark, such as imb-pingpong");
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

// Where the benchmarks of logs ran: on two devices of a platform, or on a cluster of which nothing is known.
Result<LogPlace> log_place(const Options& options) {
  auto place = unknown_cluster();
  place.benchmark = options.benchmark;
  if (options.platform_file.empty())
    return place;
  auto platform = read_platform(options.platform_file);
  if (!platform)
    return platform.errors();
  const auto usage = [](std::string message) { return Error{ErrorKind::usage, "", "", std::move(message), ""}; };
  place.platform = std::make_shared<const Platform>(std::move(*platform));
  place.fabric = options.fabric;
  if (!find_fabric(*place.platform, options.fabric))
    return usage("--fabric: " + mismatch(in_quotes(options.fabric), "a fabric of " + options.platform_file));
  place.ranks.clear();
  for (const auto& name : options.ranks) {
    const auto device = find_device(*place.platform, name);
    if (!device || !can_run_ranks(place.platform->devices[*device].kind))
      return usage("--ranks: " + mismatch(in_quotes(name), "a cpu, coprocessor or gpu of " + options.platform_file));
    place.ranks.push_back(*device);
  }
  if (place.ranks.size() != 2)
    return usage("--ranks: " +
                 mismatch(fmt::format("{} devices", place.ranks.size()), "two, such as node0.cpu0,node1.cpu0"));
  return place;
}

Result<std::vector<Scenario>> read_all(const Options& options) {
  const auto place = log_place(options);
  if (!place)
    return place.errors();
  std::vector<Scenario> scenarios;
  Errors errors;
  const auto gather = [&](auto result, auto take) {
    if (result)
      take(std::move(*result));
    else
      errors.insert(errors.end(), result.errors().begin(), result.errors().end());
  };
  for (const auto& file : options.files)
    if (file.ends_with(".json"))
      gather(read_scenario(file), [&](Scenario scenario) { scenarios.push_back(std::move(scenario)); });
    else
      gather(read_log_scenarios(file, *place), [&](std::vector<Scenario> found) {
        std::move(found.begin(), found.end(), std::back_inserter(scenarios));
      });
  for (const auto& scenario : scenarios)
    if (scenario.fabric != scenarios.front().fabric || scenario.platform->file != scenarios.front().platform->file)
      errors.push_back(
          {ErrorKind::input, scenario.file, "",
           mismatch("fabric " + in_quotes(scenario.fabric) + " of platform " + in_quotes(scenario.platform->name),
                    "those of " + scenarios.front().file),
           ""});
  if (!errors.empty())
    return errors;
  return scenarios;
}

// The text of the file to merge into, if there is one. Errors: it is no platform, or has no such fabric or too few
// rules.
Result<std::string> read_target(const Options& options, const std::string& fabric_name, std::size_t rules,
                                std::size_t adjustments) {
  if (options.merge.empty())
    return std::string();
  const auto platform = read_platform(options.merge);
  if (!platform)
    return platform.errors();
  const auto* fabric = find_fabric(*platform, fabric_name);
  const auto usage = [&](std::string message) {
    return Error{ErrorKind::usage, options.merge, "/fabrics", std::move(message), ""};
  };
  if (!fabric)
    return usage(mismatch("no fabric " + in_quotes(fabric_name), "one to merge into; --fabric names it"));
  if (fabric->rules.size() < rules || fabric->adjustments.size() < adjustments)
    return usage(mismatch(fmt::format("{} rules and {} adjustments in fabric {}", fabric->rules.size(),
                                      fabric->adjustments.size(), fabric_name),
                          "those of the platform that was calibrated"));
  return read_text(options.merge);
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
  const auto scenarios = read_all(options);
  if (!scenarios)
    return report_errors(scenarios.errors(), streams);
  const auto& fabric = *find_fabric(*scenarios->front().platform, scenarios->front().fabric);
  for (const auto index : options.adjustments)
    if (index >= fabric.adjustments.size())
      return usage(fmt::format("--adjustments: got {}, but fabric {} has {} of them", index, fabric.name,
                               fabric.adjustments.size()));
  const auto& target = options.fabric.empty() ? fabric.name : options.fabric;
  const auto merge_into = read_target(options, target, fabric.rules.size(), fabric.adjustments.size());
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
               : deliver(merge_adjustments(*merge_into, target, tuned->indices, tuned->adjustments), options, streams);
  }
  const auto record = calibrate_regimes(*scenarios, wanted, jobs);
  if (!record)
    return report_errors(record.errors(), streams);
  if (options.merge.empty()) {
    write(*record, fabric.name, *from_name<Format>(format_names, options.format), streams.out);
    return 0;
  }
  write(*record, fabric.name, Format::table, streams.err);
  return deliver(merge_regimes(*merge_into, target, *record), options, streams);
}

} // namespace

const Command calibrate_command{
    "calibrate", "find the regimes of a fabric from measured curves",
    "  kakehashi calibrate scenarios/hpcdiy-qdr/latency-gbe.json scenarios/hpcdiy-qdr/bw-gbe.json\n"
    "  kakehashi calibrate --rendezvous \"2 KiB\" --format json my-latency.json my-bw.json\n"
    "  kakehashi calibrate pingpong.log osu-bw.log\n"
    "  kakehashi calibrate --merge mine.json --fabric ib pingpong.log\n"
    "  kakehashi calibrate --platform mine.json --fabric ib --ranks n1.cpu,n2.cpu --merge mine.json pingpong.log\n",
    declare, calibrate_scenarios};

} // namespace kakehashi
