#include "command/shared_options.hpp"

#include "base/memory.hpp"
#include "base/text.hpp"
#include "command/command_parts.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "model/platform.hpp"
#include "report/format.hpp"
#include "study/machine/machine_views.hpp"
#include "study/run/scenario_run.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <thread>

namespace kakehashi {

OptionRows jobs_row(int& jobs) {
  return {"--jobs", "processes at a time; default: one for each core", &jobs, Range{1, 1024}};
}

int jobs_of(int stated) {
  return stated > 0 ? stated : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

OptionRows scenario_rows(ScenarioArguments& scenario, const std::string& meaning) {
  auto& words = scenario.words;
  const auto place = OptionRows{
      {"--platform", "another platform file than that of the scenario", &words.platform},
      {"--fabric",
       "another fabric; of two, such as shm+ib, the first carries the messages inside nodes. Without a scenario: the "
       "only fabric that joins the ranks, or the only one that also joins devices inside nodes and between them",
       &words.fabric}};
  return {
      {"SCENARIO", meaning + "; - reads standard input", &scenario.files},
      place,
      {"--ranks", "other devices for the ranks, such as n1.cpu,n2.cpu, or patterns: \"n*.cpu*\", \"n[0-7].cpu0\"",
       &words.ranks, Values::comma_list},
      {"--per-device", "number of ranks on each device of the pattern", &words.per_device, Range{1, 100000}},
      {"--order",
       "block (the first ranks on the first device), cyclic (on each device in turn), cyclic-in-node, "
       "cyclic-over-nodes, or inside each node cyclic-over-numa (its NUMA domains) or cyclic-over-caches (its caches "
       "of "
       "the last level)",
       &words.order,
       OneOf{"block", "cyclic", "cyclic-in-node", "cyclic-over-nodes", "cyclic-over-numa", "cyclic-over-caches"}},
      {"--map-by",
       "as mpirun's: core (fills device after device), socket, numa or l3cache (fills node after node, on its devices, "
       "NUMA domains or caches in turn) or node (on each node in turn). With this, --np or --per-node, a device of "
       "--ranks has room for one rank on each core, "
       "unless --per-device states another number",
       &words.map_by, OneOf{"core", "socket", "numa", "l3cache", "node"}},
      {"--np", "number of ranks in all; default: as many as fit", &words.count, Range{1, 100000}},
      {"--per-node", "the most ranks on each node", &words.per_node, Range{1, 100000}},
      {"--benchmark",
       "another workload: a benchmark such as imb-alltoall; with --platform and --ranks no scenario is needed",
       &words.benchmark},
      {"--training",
       "another workload: a step of training this model, and fields of it, such as gpt-3-175b,tensor=8,pipeline=8; "
       "with --platform no scenario is needed. With a scenario of such a step fields alone will do",
       &words.training, Values::comma_list},
      {"--inference", "likewise: an answer of this model, such as llama-3-70b,batch=16,prompt=2000,generated=200",
       &words.inference, Values::comma_list},
      {"--algorithm", "the algorithm of the benchmark's collective operation, such as ring, or the file of your own",
       &words.algorithm},
      {"--protocol", "of NCCL or RCCL: LL, LL128 or Simple", &words.protocol},
      {"--channels", "of NCCL or RCCL: the most channels", &words.channels, Range{1, 128}},
      {"--env NAME=VALUE",
       "NAME=VALUE: a variable of NCCL's environment, such as NCCL_ALGO=Ring; can be given several times",
       &words.variables},
      {"--gpu-library", "the library of collectives between GPUs and its release: nccl-2.22, rccl or 2.27",
       &words.gpu_library},
      {"--sizes", "other message sizes, such as \"8 B,4 KiB,1 MiB\", or ranges such as \"8 B..1 GiB\"", &words.sizes,
       Values::comma_list},
      {"--set FIELD=VALUE",
       "FIELD=VALUE: another value for a field of the scenario (workload.window=16) or of its platform "
       "(platform:links[n1.hca-n2.hca].lanes=4, platform:fabrics.ib.rules[0].regimes[0].cap=\"3 GB/s\"); JSON pointers "
       "do, too; can be given several times",
       &words.sets},
      memory_rows(scenario.max_memory),
  };
}

OptionRows part_rows(ReplayPartWords& part) {
  return {
      {"--region", "of a recording: only what ranks do in this region of the program", &part.region, Values::not_empty},
      {"--from",
       "of a recording: only what ranks do from here on, such as \"1.5 s\" of its time, or \"region NAME\": where a "
       "rank comes into that region first",
       &part.from, Values::not_empty},
      {"--to", "of a recording: only what ranks do before this time or region", &part.to, Values::not_empty},
  };
}

namespace {

// Whether the fabric carries messages inside devices, inside nodes and between nodes.
bool is_for_all_scopes(const Fabric& fabric) {
  const auto has = [&](std::size_t scope) {
    return std::ranges::any_of(
        fabric.rules, [&](const Rule& rule) { return !rule.scope || *rule.scope == static_cast<Scope>(scope); });
  };
  return fabric.by_scope || (has(0) && has(1) && has(2));
}

} // namespace

Result<ScenarioEdits> edits_of(const ScenarioArguments& scenario, const Streams& streams, FabricChoice choice) {
  auto words = scenario.words;
  auto edits = edits_of(words, streams.texts);
  const auto& files = scenario.files;
  const auto is_folder = [](const std::string& file) {
    std::error_code none;
    return std::filesystem::is_directory(file, none);
  };
  const bool has_workload = files.empty() ? !words.benchmark.empty() : std::ranges::all_of(files, is_folder);
  if (!edits || !has_workload || words.platform.empty() || words.ranks.empty() || !words.fabric.empty() ||
      std::ranges::find(edits->fields, "/fabric", &Edit::pointer) != edits->fields.end())
    return edits;
  if (words.benchmark.starts_with("nccl-")) // which takes no fabric, as training does
    return edits;
  const auto names = fabrics_to_choose(*edits);
  if (!names || names->size() < 2)
    return edits;
  std::vector<std::string> serving, joins_all;
  Errors obstacles;
  words.fabric = names->front();
  const auto on_first = edits_of(words, streams.texts);
  auto on_it = read_scenario(files.empty() ? "" : files.front(), *on_first);
  if (!on_it)
    return on_it.errors();
  for (const auto& name : *names) {
    on_it->fabric = name;
    if (const auto routes = routes_of(*on_it); !routes)
      obstacles = routes.errors();
    else if (serving.push_back(name); choice == FabricChoice::first)
      break;
    else if (is_for_all_scopes(*find_fabric(*on_it->platform, name)))
      joins_all.push_back(name);
  }
  if (serving.empty())
    return obstacles;
  if (choice == FabricChoice::only_one && joins_all.size() == 1)
    serving = joins_all;
  if (serving.size() > 1)
    return usage_error(fmt::format("--fabric is missing; of {}, several join these ranks: {}", words.platform,
                                   fmt::join(serving, ", ")));
  words.fabric = serving.front();
  return edits_of(words, streams.texts);
}

Result<Scenario> scenario_of(const ScenarioArguments& options, const Streams& streams) {
  auto planned = planned_scenario_of(options, streams);
  return planned ? Result(std::move(planned->scenario)) : planned.errors();
}

Result<PlannedScenario> planned_scenario_of(const ScenarioArguments& options, const Streams& streams) {
  const auto edits = edits_of(options, streams);
  if (!edits)
    return edits.errors();
  auto scenario = read_scenario(options.files.empty() ? "" : options.files.front(), *edits);
  if (!scenario)
    return scenario.errors();
  auto planned = plan(*scenario);
  if (!planned)
    return planned.errors();
  if (auto errors = check_need(*scenario, planned->need, options.max_memory); !errors.empty())
    return errors;
  return PlannedScenario{std::move(*scenario), std::move(*planned)};
}

std::string crowded_devices(const Scenario& scenario) {
  std::map<std::size_t, std::size_t> ranks_on;
  for (const auto device : scenario.ranks)
    ++ranks_on[device];
  std::erase_if(ranks_on, [&](const auto& entry) {
    const auto cores = scenario.platform->devices[entry.first].cores;
    return cores <= 0 || entry.second <= static_cast<std::size_t>(cores);
  });
  if (ranks_on.empty())
    return "";
  const auto& [device, ranks] = *ranks_on.begin();
  const auto& own = scenario.platform->devices[device];
  return fmt::format("{} has {} for {}{}: each rank is simulated with a core of its own, so times may be far too short",
                     own.name, counted(static_cast<std::size_t>(own.cores), "core"), counted(ranks, "rank"),
                     ranks_on.size() > 1 ? ", and others have too few, too" : "");
}

void tell_assumptions(const Scenario& scenario, const Streams& streams) {
  if (const auto* replay = std::get_if<Replay>(&scenario.workload))
    warn(replay->warnings, streams);
  if (const auto crowded = crowded_devices(scenario); !crowded.empty())
    warn({crowded}, streams);
  warn(hidden_by_caps(scenario), streams);
}

OptionRows memory_rows(std::string& stated) {
  return {{"--max-memory",
           "the most memory to use, such as \"2 GiB\"; a run that needs more is not begun. Default: most of the free "
           "memory",
           &stated}};
}

Result<Bytes> memory_limit(const std::string& stated) {
  constexpr double most = 0.9; // share of the free memory
  if (stated.empty()) {
    const auto free = free_memory();
    return free ? Bytes{static_cast<std::uint64_t>(most * static_cast<double>(free->count))} : largest_size;
  }
  const auto limit = parse_bytes(stated);
  constexpr Bytes least{std::uint64_t{64} << 20}; // with less, the program could not even report errors
  if (limit && *limit < least)
    return usage_error("--max-memory: " + mismatch(in_quotes(stated), "at least " + to_text(least)));
  if (!limit)
    return usage_error("--max-memory: " + mismatch(in_quotes(stated), std::string(expected_bytes(stated))));
  return *limit;
}

Errors check_need(const Scenario& scenario, const Need& need, const std::string& stated_limit) {
  const auto limit = memory_limit(stated_limit);
  return limit ? check_need(scenario, need, *limit) : limit.errors();
}

OptionRows format_row(std::string& format, std::vector<std::string> names) {
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  auto meaning = fmt::format("{} or {}", fmt::join(first, ", "), names.back());
  return {"--format", std::move(meaning), &format, std::move(names)};
}

OptionRows engine_rows(EngineArguments& engine) {
  return {{"--engine",
           "simgrid, fluid (Kakehashi's own, for many messages) or auto: SimGrid for short runs, else fluid",
           &engine.engine, OneOf(engine_names.begin(), engine_names.end())},
          {"--tolerance",
           "tolerance of the fluid engine, in percent from 0 to 5: of the times that tables print, nine in ten differ "
           "by less than this, or by 1 %, from those at 0 (docs/evidence/scale.md). A message may end when half of "
           "this share of its bytes is left",
           &engine.tolerance, Range{0, 5}},
          {"--whole", "simulate every rank and every round, even where all do the same and some could stand for all",
           &engine.whole},
          {"--noise",
           "each call and transfer takes up to this many percent more or less, from 0 to 50, and no rank stands for "
           "others. 0: ranks may stay in step for ever, which no machine does. Default: long exchanges have 1 where "
           "that makes a difference (docs/evidence/scale.md)",
           &engine.noise, Range{0, 50}}};
}

EngineOptions engine_of(const EngineArguments& engine) {
  EngineOptions options{*from_name<EngineKind>(engine_names, engine.engine), engine.tolerance / 100, 0, engine.whole};
  if (engine.noise)
    options.noise = *engine.noise / 100;
  return options;
}

PartsOut parts_out(const Streams& streams) {
  const bool has_colour = streams.columns > 0;
  return {has_colour ? *streams.raw_out : streams.out, has_colour};
}

void print_report(const Report& report, const std::string& format, const Streams& streams) {
  write_report(report, *find_format(format), parts_out(streams));
}

std::string summary_of_recording(const std::string& folder, const RecordingSurvey& survey) {
  const auto polls = survey.polls > 0 ? fmt::format(", {} polls that found nothing", survey.polls) : "";
  const bool has_time = survey.start.unit != WorkUnit::instructions;
  const auto devices = survey.device_works > 0 ? fmt::format(", {} kernels, copies and fills of GPUs in {:.3f} s",
                                                             survey.device_works, survey.device_time.value)
                                               : "";
  return fmt::format(
      "{}: recording of {}, {}, {}\n{}: {} calls{}, {} messages between two ranks, {}{}{}\n", folder,
      survey.start.program, counted(static_cast<std::size_t>(survey.start.ranks), "rank"), survey.start.library, folder,
      survey.calls, polls, survey.messages, to_text(Bytes{survey.bytes}),
      has_time ? fmt::format(", {:.3f} s, of which {:.1f} % in MPI", survey.time.value, 100 * survey.share_in_calls)
               : ", work in instructions",
      devices);
}

std::string summary_of_growth(const GrowthError& error) {
  const auto& [text, grown, recorded, unlike] = error;
  return fmt::format("{}: {} messages (recorded: {}), {} ({}), {} collective calls ({}) with {} ({}), work {:+.1f} %, "
                     "{} with other calls\n",
                     text, grown.messages, recorded.messages, to_text(Bytes{grown.bytes}),
                     to_text(Bytes{recorded.bytes}), grown.collective_calls, recorded.collective_calls,
                     to_text(Bytes{grown.collective_bytes}), to_text(Bytes{recorded.collective_bytes}),
                     recorded.work > 0 ? 100 * (grown.work / recorded.work - 1) : 0, counted(unlike, "rank"));
}

} // namespace kakehashi
