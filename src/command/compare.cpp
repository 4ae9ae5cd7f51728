#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/comparing.hpp"
#include "command/shared_options.hpp"
#include "command/shell/terminal.hpp"
#include "input/platform/own_algorithm_reader.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "model/platform.hpp"
#include "report/format.hpp"
#include "report/page/pages.hpp"
#include "study/machine/machine_views.hpp"
#include "study/run/scenario_run.hpp"
#include "study/sweep/algorithm_contest.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kakehashi {
namespace {

struct CompareArguments {
  ScenarioArguments scenario;
  ReportArguments report;
  std::string format = "table";
  std::vector<std::string> fabrics;
  std::vector<std::string> platforms;
  std::vector<std::string> device_map;
  std::vector<std::string> algorithms; // empty: fabrics are compared
  std::string baseline;                // a contender; empty: with several platforms, the scenario's own
  int jobs = 0;
  bool quiet = false;
};

OptionRows compare_rows(CompareArguments& options) {
  return {
      scenario_rows(options.scenario, "the scenario to run on each fabric or platform; or two recordings"),
      part_rows(options.scenario.words.part),
      {"--fabrics",
       "the fabrics, such as tcp,dapl, or PLATFORM:FABRIC; default: all that reach every rank, but hypothetical ones",
       &options.fabrics, Values::comma_list},
      {"--platforms", "platform files to compare with the scenario's, with fabrics of the same names",
       &options.platforms, Values::comma_list},
      {"--map", "[PLATFORM:]DEVICE=DEVICE: the scenario's device, and its name on another platform; * for any text",
       &options.device_map, Values::comma_list},
      {"--algorithms",
       "on the scenario's fabric, these algorithms of its collective operation, such as ring,bruck or my_ring.json; or "
       "all",
       &options.algorithms, Values::comma_list},
      {"--baseline",
       "also show all times divided by those of this contender; default: with --platforms, the scenario's own",
       &options.baseline, Values::not_empty},
      format_row(options.format, format_names()),
      report_rows(options.report),
      jobs_row(options.jobs),
      {"--quiet", "no progress, and no notes", &options.quiet},
  };
}

// A wanted contender: a fabric of a platform.
struct Entry {
  std::string platform; // a file; empty: the scenario's own
  std::string fabric;   // empty: all fabrics that reach every rank
};

// "other.json:dapl" is a fabric of that file, "dapl" a fabric of the scenario's own platform and of each of
// --platforms.
std::vector<Entry> entries_of(const CompareArguments& options, const Scenario& scenario) {
  std::vector<std::string> fabrics;
  std::vector<Entry> pairs;
  for (const auto& text : options.fabrics)
    if (const auto colon = text.rfind(':'); colon == std::string::npos)
      fabrics.push_back(text);
    else
      pairs.push_back({text.substr(0, colon), text.substr(colon + 1)});
  // With several platforms, the scenario's own fabric is compared, unless others are named.
  if (fabrics.empty() && !options.platforms.empty())
    fabrics = {scenario.fabric};
  else if (options.fabrics.empty())
    fabrics = {""};
  std::vector<Entry> entries;
  std::vector<std::string> platforms{""}; // the scenario's own platform is among them
  for (const auto& platform : options.platforms)
    if (std::error_code none; !std::filesystem::equivalent(platform, scenario.platform->file, none))
      platforms.push_back(platform);
  for (const auto& platform : platforms)
    for (const auto& fabric : fabrics)
      entries.push_back({platform, fabric});
  entries.insert(entries.end(), pairs.begin(), pairs.end());
  return entries;
}

std::vector<std::string> devices_of(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto device : scenario.ranks)
    names.push_back(scenario.platform->devices[device].name);
  return names;
}

// Returns the scenario on another platform, on any of that platform's fabrics.
Result<Scenario> moved_to(const std::string& file, const Scenario& scenario, const std::string& scenario_file,
                          const ScenarioEdits& edits, const std::vector<Renaming>& map) {
  auto platform = read_platform(file, edits);
  if (!platform)
    return platform.errors();
  const auto devices = renamed(devices_of(scenario), *platform, map);
  if (!devices)
    return devices.errors();
  const auto fabric = platform->fabrics.front().name;
  return read_scenario_on(scenario_file, edits, std::make_shared<const Platform>(std::move(*platform)), fabric,
                          *devices);
}

// Returns why the fabric is only compared if it is named; empty: it always is.
std::string_view why_not_asked_for(const Platform& platform, const Fabric& fabric) {
  return fabric.only_stage                   ? "it exists to be a stage of others"
         : is_hypothetical(platform, fabric) ? "it is hypothetical; --fabrics names such ones"
                                             : "";
}

// Returns the scenario on a fabric of its platform; without a name, on each fabric that reaches every rank.
Result<std::vector<Contender>> contenders_on(const Scenario& scenario, const std::string& fabric,
                                             const CompareArguments& options, const Streams& streams) {
  const auto& platform = *scenario.platform;
  if (!fabric.empty() && !find_fabric(platform, fabric)) {
    const auto fault = unknown_fabric(platform, fabric);
    return usage_error("--fabrics: " + fault.message, fault.suggestion);
  }
  std::vector<Contender> contenders;
  for (const auto& each : platform.fabrics) {
    if (!fabric.empty() && fabric != each.name)
      continue;
    if (const auto why =
            fabric.empty() && each.name != scenario.fabric ? why_not_asked_for(platform, each) : std::string_view();
        !why.empty()) {
      if (!options.quiet)
        streams.err << "note: fabric " << each.name << " is left out: " << why << '\n';
      continue;
    }
    auto contender = Contender{each.name, scenario};
    contender.scenario.fabric = each.name;
    const auto routes = routes_of(contender.scenario);
    if (routes)
      contenders.push_back(std::move(contender));
    else if (!fabric.empty())
      return routes.errors();
    else if (!options.quiet)
      streams.err << "note: fabric " << each.name << " is left out: " << routes.errors().front().message << '\n';
  }
  return contenders;
}

// Returns the platform's name, or its file's name if others have the same name.
std::string place_name(const std::map<std::string, Result<Scenario>>& places, const Scenario& of) {
  const auto count = std::ranges::count_if(
      places, [&](const auto& place) { return place.second && place.second->platform->name == of.platform->name; });
  return count > 1 ? std::filesystem::path(of.platform->file).stem().string() : of.platform->name;
}

// Returns every entry on its platform; each platform is read once.
Result<std::vector<Contender>> contenders_of(const std::vector<Entry>& entries, const Scenario& own,
                                             const ScenarioEdits& edits, const CompareArguments& options,
                                             const Streams& streams) {
  Errors errors;
  const auto keep = [&](const Errors& more) { append(errors, more); };
  std::map<std::string, Result<Scenario>> places;
  const auto own_file = options.scenario.files.empty() ? "" : options.scenario.files.front(); // empty: options state it
  std::vector<std::string> others;
  for (const auto& [platform, fabric] : entries)
    if (platform.empty())
      places.try_emplace("", own);
    else if (std::ranges::find(others, platform) == others.end())
      others.push_back(platform);
  const auto map = read_device_map(options.device_map);
  keep(map ? check_device_map(*map, devices_of(own), others) : map.errors());
  for (const auto& platform : others)
    if (const auto& place =
            places.try_emplace(platform, moved_to(platform, own, own_file, edits, map ? *map : std::vector<Renaming>{}))
                .first->second;
        !place)
      keep(place.errors());
  std::vector<Contender> all;
  for (const auto& [platform, fabric] : entries) {
    const auto& place = places.at(platform);
    if (!place)
      continue;
    const auto contenders = contenders_on(*place, fabric, options, streams);
    if (!contenders) {
      keep(contenders.errors());
      continue;
    }
    for (const auto& contender : *contenders)
      all.push_back({(places.size() > 1 ? place_name(places, *place) + "/" : "") + contender.name, contender.scenario});
  }
  if (!errors.empty())
    return errors;
  return all;
}

Result<std::vector<Contender>> all_contenders(const CompareArguments& options, const Streams& streams) {
  const auto& files = options.scenario.files;
  if (files.size() > 1 || (files.empty() && options.scenario.words.platform.empty()) ||
      (!files.empty() && files.front() == "-")) // standard input can be read only once, but is needed for each platform
    return usage_error("one SCENARIO file is needed, or --platform, --benchmark and --ranks");
  const auto file = files.empty() ? std::string() : files.front();
  const auto edits = edits_of(options.scenario, streams, FabricChoice::first);
  if (!edits)
    return edits.errors();
  const auto own = read_scenario(file, *edits);
  if (!own)
    return own.errors();
  if (!options.quiet)
    tell_assumptions(*own, streams);
  auto all = contenders_of(entries_of(options, *own), *own, *edits, options, streams);
  if (!all)
    return all;
  Errors errors;
  std::set<std::string> names;
  for (const auto& contender : *all)
    if (!names.insert(contender.name).second)
      errors.push_back(usage_error(mismatch(contender.name + " twice", "each only once")));
  if (errors.empty() && all->size() < 2)
    errors.push_back(
        file_error(ErrorKind::usage, file,
                   mismatch(fmt::format("{} to compare", all->empty() ? "nothing" : "only " + all->front().name),
                            "at least two fabrics or platforms")));
  if (!errors.empty())
    return errors;
  return all;
}

// Sets the contender to which the others are compared. Errors: --baseline names none of them.
Errors set_baseline(const CompareArguments& options, Comparison& comparison) {
  const auto& names = comparison.contenders;
  if (options.baseline.empty()) {
    if (!options.platforms.empty()) // the first contender is the scenario's own
      comparison.baseline = 0;
    return {};
  }
  const auto found = std::ranges::find(names, options.baseline);
  if (found == names.end())
    return {usage_error("--baseline: " +
                            mismatch(in_quotes(options.baseline), fmt::format("one of {}", fmt::join(names, ", "))),
                        closest(options.baseline, names))};
  comparison.baseline = static_cast<std::size_t>(found - names.begin());
  return {};
}

// Returns the machine of each platform, once.
std::vector<Machine> machines_of(const std::vector<Contender>& contenders) {
  std::vector<Machine> machines;
  std::set<const Platform*> seen;
  for (const auto& contender : contenders)
    if (seen.insert(contender.scenario.platform.get()).second)
      machines.push_back(machine_of(contender.scenario));
  return machines;
}

Result<AlgorithmContest> contest_of(const CompareArguments& options, const Streams& streams) {
  if (!options.fabrics.empty() || !options.platforms.empty() || !options.device_map.empty())
    return usage_error("--algorithms compares on the scenario's own platform and fabric, so without --fabrics, "
                       "--platforms and --map");
  if (options.scenario.files.size() > 1)
    return usage_error("one SCENARIO file is needed");
  const auto scenario = scenario_of(options.scenario, streams);
  if (!scenario)
    return scenario.errors();
  std::vector<std::string> names;
  std::vector<std::shared_ptr<const OwnAlgorithm>> own;
  for (const auto& name : options.algorithms) {
    if (!is_own_algorithm(name)) {
      names.push_back(name);
      continue;
    }
    auto algorithm = read_own_algorithm(name);
    if (!algorithm)
      return algorithm.errors();
    own.push_back(std::move(*algorithm));
  }
  if (options.algorithms == std::vector<std::string>{"all"})
    names.clear();
  return algorithm_contest(*scenario, names, own);
}

int compare_algorithms(const CompareArguments& options, const Streams& streams) {
  const auto contest = contest_of(options, streams);
  if (!contest)
    return report_errors(contest.errors(), streams);
  if (!options.quiet)
    for (const auto& why : contest->left_out)
      streams.err << "note: left out is " << why << '\n';
  auto comparison = [&] {
    Progress progress(streams, "compare: run", options.quiet);
    return compare(contest->contenders, jobs_of(options.jobs), std::ref(progress), Crossovers::between_sizes);
  }();
  if (!comparison)
    return report_errors(comparison.errors(), streams);
  comparison->library = contest->library;
  comparison->settings = contest->settings;
  for (std::size_t i = 0; i < comparison->rows.size(); ++i)
    comparison->rows[i].taken = contest->taken[i];
  if (const auto faults = set_baseline(options, *comparison); !faults.empty())
    return report_errors(faults, streams);
  print_report(report_of(*comparison), options.format, streams);
  show_chart(chart_of(*comparison), streams);
  const auto errors =
      write_reports(options.report, streams, [&] { return page_of(*comparison, machines_of(contest->contenders)); });
  return errors.empty() ? 0 : report_errors(errors, streams);
}

// Options that place a run have no meaning for recordings, which are compared as they are.
Errors unfit_for_recordings(CompareArguments options) {
  constexpr std::array<std::string_view, 8> fit{"SCENARIO", "--max-memory", "--region", "--from",
                                                "--to",     "--format",     "--jobs",   "--quiet"};
  Errors errors;
  for (const auto& row : compare_rows(options).all)
    if (has_value(row) && std::ranges::find(fit, row.names) == fit.end())
      errors.push_back(usage_error(
          row.names + " goes with one scenario or recording: two recordings are compared as they were recorded"));
  return errors;
}

int compare_all(const CompareArguments& options, const Streams& streams) {
  if (const auto& files = options.scenario.files; are_recordings(files)) {
    const auto errors = unfit_for_recordings(options);
    return errors.empty() ? compare_recordings(files, options.scenario.words.part, options.format, streams)
                          : report_errors(errors, streams);
  }
  if (const auto errors = check_report(options.report); !errors.empty())
    return report_errors(errors, streams);
  if (!options.algorithms.empty())
    return compare_algorithms(options, streams);
  const auto contenders = all_contenders(options, streams);
  if (!contenders)
    return report_errors(contenders.errors(), streams);
  for (const auto& contender : *contenders)
    if (const auto errors = check_need(contender.scenario, need_of(contender.scenario), options.scenario.max_memory);
        !errors.empty())
      return report_errors(errors, streams);
  auto comparison = [&] {
    Progress progress(streams, "compare: run", options.quiet);
    return compare(*contenders, jobs_of(options.jobs), std::ref(progress));
  }();
  if (!comparison)
    return report_errors(comparison.errors(), streams);
  if (const auto faults = set_baseline(options, *comparison); !faults.empty())
    return report_errors(faults, streams);
  print_report(report_of(*comparison), options.format, streams);
  show_chart(chart_of(*comparison), streams);
  const auto errors =
      write_reports(options.report, streams, [&] { return page_of(*comparison, machines_of(*contenders)); });
  return errors.empty() ? 0 : report_errors(errors, streams);
}

} // namespace

const Command compare_command{
    "compare",
    "run a scenario on several fabrics or platforms, and show which one wins; or show two recordings side by side",
    "  kakehashi compare scenarios/tca-mic/mic-to-remote-mic.json\n"
    "  kakehashi compare --fabrics tcp,dapl scenarios/colfax-mic/asian-option-2-devices.json\n"
    "  kakehashi compare --algorithms all scenarios/hpcdiy-qdr/allreduce-shm.json\n"
    "  kakehashi compare --platforms now.json,planned.json my-scenario.json\n"
    "  kakehashi compare --fabrics dapl,platforms/tca-mic.json:peach2-scif --map 'node*.mic2=node*.mic0' \\\n"
    "    scenarios/colfax-mic/pingpong-mic2-remote-mic2.json\n"
    "  kakehashi compare scenarios/waves/chain scenarios/waves/exchange\n"
    "  kakehashi compare --from \"region solve\" halo-openmpi halo-mpich\n",
    takes(compare_rows, compare_all)};

} // namespace kakehashi
