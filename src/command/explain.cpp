#include "base/quantity_form.hpp"
#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/measurements.hpp"
#include "command/shared_options.hpp"
#include "command/shell/terminal.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "report/format.hpp"
#include "report/page/pages.hpp"
#include "study/explain/explanations.hpp"
#include "study/fit/fits.hpp"
#include "study/gpu/gpu_studies.hpp"
#include "study/machine/machine_views.hpp"
#include "study/run/scenario_run.hpp"
#include "study/training/training_studies.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

struct ExplainArguments {
  ScenarioArguments scenario;
  std::vector<std::string> logs;
  ReportArguments report;
  std::string format = "table";
  std::string size; // empty: the whole scenario
  std::string from;
  std::string to;
  bool all = false;
  int jobs = 0;
  bool quiet = false;
};

OptionRows explain_rows(ExplainArguments& options) {
  return {
      scenario_rows(options.scenario, "the scenario to explain; or logs of IMB, OSU or nccl-tests, whose ranks were on "
                                      "--ranks of --platform, if it is known"),
      {"--log",
       "a log, and where its ranks were: same-socket=FILE, same-node=FILE, between-nodes=FILE or two devices, as "
       "node0.cpu0,node0.cpu1=FILE",
       &options.logs},
      {"--size", "explain one message of this size, such as \"64 KiB\"; default: the whole scenario", &options.size},
      {"--from", "with --size: the device that sends; default: that of rank 0", &options.from},
      {"--to", "with --size: the device that receives; default: that of rank 1", &options.to},
      {"--all", "list every parameter that never mattered; default: five of them", &options.all},
      format_row(options.format, format_names()),
      report_rows(options.report),
      jobs_row(options.jobs),
      {"--quiet", "no progress", &options.quiet},
  };
}

// Returns the device with that name, or the device of the rank.
Result<std::size_t> end_of(const std::string& name, const char* option, std::size_t rank, const Scenario& scenario) {
  const auto& platform = *scenario.platform;
  if (name.empty() && rank < scenario.ranks.size())
    return scenario.ranks[rank];
  if (name.empty())
    return usage_error(fmt::format("{} is missing; the scenario has no rank {}", option, rank));
  std::vector<std::string> names;
  for (const auto& device : platform.devices)
    if (can_run_ranks(device.kind))
      names.push_back(device.name);
  const auto device = find_device(platform, name);
  if (!device || !can_run_ranks(platform.devices[*device].kind))
    return usage_error(
        fmt::format("{}: {}", option,
                    mismatch(fmt::format("\"{}\"", name), "a cpu, coprocessor, gpu or dpu of " + platform.file)),
        closest(name, names));
  return *device;
}

// Returns the machine with the loads of links, if the scenario can be run once more.
Machine machine_in(const Scenario& scenario) {
  auto machine = used_machine(scenario, {});
  return machine ? std::move(*machine) : machine_of(scenario);
}

// CSV needs rows, which only calls of GPUs have.
Errors check_format(const ExplainArguments& options, bool is_of_gpus) {
  return options.format != "csv" || is_of_gpus
             ? Errors{}
             : Errors{usage_error("--format: " + mismatch("csv", "table, json or markdown; only what is explained of "
                                                                 "NCCL and RCCL has rows"))};
}

int explain_one(const Scenario& scenario, const ExplainArguments& options, const Streams& streams) {
  const auto size = parse_bytes(options.size);
  if (!size || *size > largest_size)
    return report_errors(
        {usage_error("--size: " +
                         mismatch(fmt::format("\"{}\"", options.size), fmt::format("{}, at most 1 PiB", bytes_form)),
                     near_quantity(options.size, [](std::string_view text) { return parse_bytes(text).has_value(); }))},
        streams);
  const auto from = end_of(options.from, "--from", 0, scenario);
  if (!from)
    return report_errors(from.errors(), streams);
  const auto to = end_of(options.to, "--to", 1, scenario);
  if (!to)
    return report_errors(to.errors(), streams);
  Progress progress(streams, "explain: run", options.quiet);
  const auto explanation = explain_message(scenario, *from, *to, *size, jobs_of(options.jobs), std::ref(progress));
  if (!explanation)
    return report_errors(explanation.errors(), streams);
  print_report(report_of(*explanation), options.format, streams);
  const auto errors = write_reports(options.report, streams, [&] {
    return page_of(*explanation, machine_in(one_message(scenario, *from, *to, *size)));
  });
  return errors.empty() ? 0 : report_errors(errors, streams);
}

template <class Explanation>
int tell_explanation(const Result<Explanation>& found, const ExplainArguments& options, const Streams& streams) {
  if (!found)
    return report_errors(found.errors(), streams);
  print_report(report_of(*found), options.format, streams);
  const auto errors = write_reports(options.report, streams, [&] { return page_of(*found); });
  return errors.empty() ? 0 : report_errors(errors, streams);
}

int explain_log_files(const ExplainArguments& options, const Streams& streams) {
  const auto refuse = [&](const char* option) {
    return report_errors({usage_error(fmt::format("{} does not go with logs", option))}, streams);
  };
  if (!options.size.empty() || !options.from.empty() || !options.to.empty())
    return refuse(!options.size.empty() ? "--size" : !options.from.empty() ? "--from" : "--to");
  const auto logs = read_explained_logs(options.scenario, options.logs, streams);
  if (!logs)
    return report_errors(logs.errors(), streams);
  for (const auto& note : logs->notes)
    streams.err << "note: " << note << '\n';
  const auto of_gpus = std::ranges::count_if(logs->scenarios, is_of_gpus);
  if (of_gpus > 0 && of_gpus < std::ssize(logs->scenarios))
    return report_errors({usage_error(mismatch("logs of MPI and of NCCL", "those of one of them at a time"))}, streams);
  if (of_gpus > 0)
    return tell_explanation(explain_gpu_logs(logs->scenarios), options, streams);
  if (const auto errors = check_format(options, false); !errors.empty())
    return report_errors(errors, streams);
  constexpr int usual_faults = 40;
  const auto jobs = jobs_of(options.jobs);
  if (const auto text =
          long_run_text((usual_faults / static_cast<double>(jobs)) * need_of(logs->scenarios.front()).time);
      logs->is_known && !text.empty() && !options.quiet)
    streams.err << "note: the runs with each fault take " << text << std::endl;
  Progress progress(streams, "explain: run", options.quiet);
  const auto found = explain_logs(logs->scenarios, logs->is_known, jobs, std::ref(progress));
  if (!found)
    return report_errors(found.errors(), streams);
  print_report(report_of(*found), options.format, streams);
  const auto errors = write_reports(options.report, streams, [&] {
    std::vector<Curve> measured;
    for (const auto& scenario : logs->scenarios)
      measured.push_back(scenario.reference->curve);
    return page_of(*found, measured);
  });
  return errors.empty() ? 0 : report_errors(errors, streams);
}

// Nothing, if the scenario's workload is another one.
std::optional<int> explain_step(const ExplainArguments& options, const Streams& streams) {
  const auto edits = edits_of(options.scenario, streams);
  const auto scenario =
      edits ? read_scenario(options.scenario.files.empty() ? "" : options.scenario.files.front(), *edits)
            : Result<Scenario>(edits.errors());
  if (!scenario)
    return report_errors(scenario.errors(), streams);
  if (!is_of_model(*scenario))
    return std::nullopt;
  if (!options.size.empty() || !options.from.empty() || !options.to.empty())
    return report_errors(
        {usage_error("--size, --from and --to explain a message, and the workload is a step of training")}, streams);
  return tell_explanation(explain_training(*scenario), options, streams);
}

int explain(const ExplainArguments& options, const Streams& streams) {
  if (const auto errors = check_report(options.report); !errors.empty())
    return report_errors(errors, streams);
  if (!options.logs.empty() || std::ranges::any_of(options.scenario.files, is_log))
    return explain_log_files(options, streams);
  if (options.scenario.files.size() > 1)
    return report_errors({usage_error("one SCENARIO at a time")}, streams);
  if (const auto done = explain_step(options, streams))
    return *done;
  const auto planned = planned_scenario_of(options.scenario, streams);
  if (!planned)
    return report_errors(planned.errors(), streams);
  const auto& scenario = planned->scenario;
  const auto& plan = planned->plan;
  if (const auto errors = check_format(options, is_of_gpus(scenario)); !errors.empty())
    return report_errors(errors, streams);
  if (!options.quiet)
    tell_assumptions(scenario, streams);
  if (!options.size.empty() && is_of_gpus(scenario))
    return report_errors({usage_error("--size explains a message; --sizes are those of a benchmark of GPUs")}, streams);
  if (!options.size.empty())
    return explain_one(scenario, options, streams);
  if (!options.from.empty() || !options.to.empty())
    return report_errors({usage_error("--from and --to need --size")}, streams);
  if (is_of_gpus(scenario))
    return tell_explanation(explain_gpus(scenario), options, streams);
  constexpr int usual_runs = 25; // one for each parameter; there are 10 to 40
  const auto jobs = jobs_of(options.jobs);
  if (const auto text = long_run_text((usual_runs / static_cast<double>(jobs)) * plan.need.time);
      !text.empty() && !options.quiet)
    streams.err << "note: the runs with each parameter changed take " << text << std::endl;
  Progress progress(streams, "explain: run", options.quiet);
  const auto explanation = explain_run(scenario, plan, jobs, std::ref(progress));
  if (!explanation)
    return report_errors(explanation.errors(), streams);
  print_report(report_of(*explanation, options.all ? std::string::npos : 5), options.format, streams);
  const auto errors = write_reports(options.report, streams, [&] {
    auto machine = machine_of(scenario);
    add_use(machine, explanation->links);
    return page_of(*explanation, machine);
  });
  return errors.empty() ? 0 : report_errors(errors, streams);
}

} // namespace

const Command explain_command{
    "explain", "show where the time of one message or of a whole scenario goes, or what a log shows",
    "  kakehashi explain scenarios/colfax-mic/pingpong-mic2-remote-mic2.json --size \"4 MiB\"\n"
    "  kakehashi explain my-scenario.json --from node0.mic0 --to node1.mic2 --size \"8 B\" --fabric tcp\n"
    "  kakehashi explain scenarios/hpcdiy-qdr/bw-gbe.json\n"
    "  kakehashi explain osu-latency.log\n"
    "  kakehashi explain --platform mine.json --fabric ib --ranks n1.cpu0,n2.cpu0 pingpong.log osu-bw.log\n"
    "  kakehashi explain --platform mine.json --ranks \"n[1-2].cpu*\" --per-device 16 osu-alltoall.log\n"
    "  kakehashi explain --platform mine.json --benchmark nccl-allreduce --ranks \"n*.gpu*\"\n"
    "  kakehashi explain --platform mine.json --ranks \"n*.gpu*\" all_reduce_perf.log\n"
    "  kakehashi explain --platform mine.json --training gpt-3-175b,tensor=8,pipeline=8\n",
    takes(explain_rows, explain)};

} // namespace kakehashi
