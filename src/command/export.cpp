#include "command/command.hpp"
#include "command/shared_options.hpp"
#include "command/shell/whole_file.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/platform/platform_reader.hpp"
#include "report/report_parts.hpp"
#include "study/machine/machine_views.hpp"
#include "writer/export_writer.hpp"
#include "writer/rules_writer.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace kakehashi {
namespace {

struct ExportArguments {
  ScenarioArguments scenario; // without a trace its file is a platform
  std::string target = "simgrid";
  std::vector<std::string> between; // two devices; empty: those of the widest scope
  std::string trace;                // a form; empty: the platform is written
  std::string output;               // of traces for smpirun; empty: standard output
};

OptionRows export_rows(ExportArguments& options) {
  auto words = scenario_rows(options.scenario, "");
  std::erase_if(words.all, [](const OptionRow& row) { return row.names == "SCENARIO" || row.names == "--fabric"; });
  return {
      {"FILE",
       "the platform file; with --trace the scenario file; or a file of Open MPI's rules, to be written in the "
       "other form",
       &options.scenario.files},
      {"--fabric", "simgrid: the fabric whose routes and protocol count; needed if there are several",
       &options.scenario.words.fabric},
      {"--between",
       "simgrid: two devices, such as node0.mic0,node1.mic0, whose protocol SMPI has for all pairs; default: the "
       "first two of different nodes",
       &options.between, Values::comma_list},
      {"--to",
       "simgrid (SimGrid's XML, for smpirun), infragraph (InfraGraph's JSON) or graphviz (for dot); for rules: "
       "open-mpi-5 (the form up to release 5) or open-mpi-6",
       &options.target, OneOf{"simgrid", "infragraph", "graphviz", "open-mpi-5", "open-mpi-6"}},
      {"--trace",
       "write what the scenario's ranks do, message by message: ti (SimGrid's time-independent trace, for smpirun "
       "-replay) or goal (LogGOPSim's text). The options below go with it",
       &options.trace, OneOf{"ti", "goal"}},
      {"--output",
       "with --trace ti: write NAME.ti, and the files that smpirun wants beside it: NAME.list, with the name of the "
       "trace, and NAME.hosts, with the host of each rank",
       &options.output, Values::not_empty},
      words};
}

// Finds the two devices of --between.
Result<std::optional<std::array<std::size_t, 2>>> pair_of(const Platform& platform, const ExportArguments& options) {
  if (options.between.empty())
    return std::optional<std::array<std::size_t, 2>>();
  if (options.between.size() != 2)
    return usage_error("--between: " +
                       mismatch(counted(options.between.size(), "device"), "two, such as node0.cpu0,node1.cpu0"));
  std::vector<std::string> names;
  for (const auto& device : platform.devices)
    if (can_run_ranks(device.kind))
      names.push_back(device.name);
  std::array<std::size_t, 2> pair{};
  for (std::size_t i = 0; i < pair.size(); ++i) {
    const auto& name = options.between[i];
    if (std::ranges::find(names, name) == names.end())
      return usage_error("--between: " +
                             mismatch(in_quotes(name), "a cpu, coprocessor, gpu or dpu of " + platform.file),
                         closest(name, names));
    pair[i] = *find_device(platform, name);
  }
  return std::optional(pair);
}

// Writes the trace of all ranks, and the list of traces and of hosts with which smpirun replays it.
Errors write_for_smpirun(const TracedJob& job, const Scenario& scenario, const std::string& name) {
  const auto trace = name + ".ti";
  auto errors = write_whole(trace, [&](std::ostream& out) { write_ti(job, out); });
  append(errors, write_whole(name + ".list", [&](std::ostream& out) { out << trace << '\n'; }));
  append(errors, write_whole(name + ".hosts", [&](std::ostream& out) {
           for (const auto device : scenario.ranks)
             out << scenario.platform->devices[device].name << '\n';
         }));
  return errors;
}

Result<const Fabric*> fabric_of(const Platform& platform, const ExportArguments& options) {
  std::vector<std::string> names;
  for (const auto& fabric : platform.fabrics)
    names.push_back(fabric.name);
  if (options.scenario.words.fabric.empty() && names.size() == 1)
    return &platform.fabrics.front();
  if (options.scenario.words.fabric.empty())
    return usage_error(fmt::format("--fabric is needed, since the platform has several: {}", fmt::join(names, ", ")));
  if (const auto* found = find_fabric(platform, options.scenario.words.fabric))
    return found;
  auto error = usage_error("--fabric: " + mismatch(in_quotes(options.scenario.words.fabric),
                                                   fmt::format("one of {}", fmt::join(names, ", "))));
  error.suggestion = closest(options.scenario.words.fabric, names);
  return error;
}

int export_trace(const ExportArguments& options, const Streams& streams) {
  const auto scenario = planned_scenario_of(options.scenario, streams);
  if (!scenario)
    return report_errors(scenario.errors(), streams);
  tell_assumptions(scenario->scenario, streams);
  const auto job = trace_job(scenario->scenario, scenario->plan);
  if (!job)
    return report_errors(job.errors(), streams);
  if (job->puts > 0)
    streams.err << "note: puts are written as sends, which their targets receive with cores of theirs\n";
  if (!options.output.empty()) {
    const auto errors = write_for_smpirun(*job, scenario->scenario, options.output);
    return errors.empty() ? 0 : report_errors(errors, streams);
  }
  (options.trace == "ti" ? write_ti : write_goal)(*job, streams.out);
  return 0;
}

// Writes rules of Open MPI in their other form. Warnings are those of `check`.
int export_rules(const std::string& file, const std::string& target, const Streams& streams) {
  const auto text = read_text(file);
  if (!text)
    return report_errors(text.errors(), streams);
  if (!is_rules_text(*text))
    return report_errors({usage_error(fmt::format("--to {}: {} is no file of rules for an MPI library", target, file))},
                         streams);
  const auto known = read_any_rules(*text, file);
  if (!known)
    return report_errors(known.errors(), streams);
  if (!known->is_of_open_mpi)
    return report_errors(
        {usage_error(fmt::format("--to {}: {} has {}, whose algorithms are others", target, file, known->form))},
        streams);
  const auto grid = rule_grid(known->rules);
  if (!grid)
    return report_errors(grid.errors(), streams);
  warn(warnings_of(known->rules), streams);
  (target == "open-mpi-5" ? write_open_mpi_rules : write_open_mpi_6_rules)(*grid, streams.out);
  return 0;
}

// Finds options that do not apply to what is written.
Errors check_export(const ExportArguments& options) {
  const auto& [files, words, max_memory] = options.scenario;
  if (files.size() > 1)
    return {usage_error("export takes one file")};
  if (!options.output.empty() && options.trace != "ti")
    return {usage_error("--output goes with --trace ti")};
  if (!options.between.empty() && (!options.trace.empty() || options.target != "simgrid"))
    return {usage_error("--between goes with --to simgrid")};
  if (!options.trace.empty())
    return {};
  if (files.empty())
    return {usage_error("FILE is missing: a platform, or a scenario with --trace")};
  const bool has_words = !words.platform.empty() || !words.benchmark.empty() || !words.ranks.empty() ||
                         words.per_device > 0 || !words.order.empty() || !words.map_by.empty() || words.count > 0 ||
                         words.per_node > 0 || !words.sizes.empty() || !words.sets.empty() || !max_memory.empty();
  return has_words ? Errors{usage_error("options of scenarios go with --trace")} : Errors{};
}

int export_any(const ExportArguments& options, const Streams& streams) {
  if (const auto errors = check_export(options); !errors.empty())
    return report_errors(errors, streams);
  if (!options.trace.empty())
    return export_trace(options, streams);
  if (options.target.starts_with("open-mpi"))
    return export_rules(options.scenario.files.front(), options.target, streams);
  const auto& file = options.scenario.files.front();
  if (const auto text = read_text(file); text && is_rules_text(*text))
    return report_errors(
        {usage_error(fmt::format("{} is a file of rules, which --to open-mpi-5 and open-mpi-6 write", file))}, streams);
  const auto platform = read_platform(file);
  if (!platform)
    return report_errors(platform.errors(), streams);
  if (options.target == "graphviz") {
    write_graphviz(*platform, streams.out);
    return 0;
  }
  if (options.target == "infragraph") {
    write_infragraph(*platform, streams.out);
    return 0;
  }
  const auto fabric = fabric_of(*platform, options);
  if (!fabric)
    return report_errors(fabric.errors(), streams);
  const auto between = pair_of(*platform, options);
  if (!between)
    return report_errors(between.errors(), streams);
  const auto network = export_network(*platform, **fabric, *between);
  if (!network)
    return report_errors(network.errors(), streams);
  write_simgrid(*network, streams.out);
  return 0;
}

} // namespace

const Command export_command{
    "export", "write a platform or a trace for SimGrid, LogGOPSim, InfraGraph or Graphviz, or rules for Open MPI",
    "  kakehashi export mine.json --fabric ib > mine.xml\n"
    "  smpirun -platform mine.xml -np 2 ./my-program\n"
    "  kakehashi export platforms/colfax-mic.json --fabric dapl --between node0.mic2,node1.mic2 > mics.xml\n"
    "  kakehashi export --trace ti --output ring scenarios/colfax-mic/ring-default.json\n"
    "  smpirun -np 5 -platform mics.xml -hostfile ring.hosts -replay ring.list\n"
    "  kakehashi export platforms/tca-mic.json --to graphviz | dot -Tsvg > tca-mic.svg\n"
    "  kakehashi export --trace goal scenarios/colfax-mic/ring-default.json > ring.goal\n"
    "  kakehashi export my_rules.conf --to open-mpi-6 > my_rules.json\n",
    takes(export_rows, export_any)};

} // namespace kakehashi
