#include "study/sweep/ranking.hpp"

#include "base/interrupt.hpp"
#include "base/number.hpp"
#include "base/wire.hpp"
#include "command/candidate_lines.hpp"
#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/shared_options.hpp"
#include "command/shell/terminal.hpp"
#include "command/shell/whole_file.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "report/format.hpp"
#include "report/page/pages.hpp"
#include "report/report_parts.hpp"
#include "study/machine/machine_views.hpp"
#include "study/run/scenario_run.hpp"
#include "study/sweep/evaluation.hpp"
#include "study/training/training_studies.hpp"
#include "writer/rank_files.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

struct SweepArguments {
  ScenarioArguments scenario;
  EngineArguments engine;
  ReportArguments report;
  std::string format = "table";
  std::size_t shown = 10;
  std::string rankfile;
  std::string machinefile;
  std::string hostfile;
  std::string budget;
  std::uint64_t seed = 1;
  bool prune = false;
  std::optional<bool> reasons;
  std::string results;
  bool resume = false;
  std::string timeout;
  std::string shard;
  std::vector<std::string> merged; // files
  std::string candidates;          // a file; empty: those of the sweep
  int jobs = 0;
  bool quiet = false;
};

OptionRows sweep_rows(SweepArguments& options) {
  return {
      scenario_rows(options.scenario,
                    "the scenario with the key \"sweep\"; one that options state varies the order of its ranks"),
      format_row(options.format, format_names()),
      {"--top", "how many of the best candidates the table shows", &options.shown},
      {"--rankfile", "write the best order into this file, as a rankfile of Open MPI", &options.rankfile},
      {"--machinefile", "the same, as a machine file of Intel MPI", &options.machinefile},
      {"--hostfile", "the same, as what SLURM_HOSTFILE names for srun --distribution=arbitrary", &options.hostfile},
      {"--budget",
       "the most candidates to run, such as 500, or for how long, such as \"30 s\"; default of a search: 2000",
       &options.budget},
      {"--seed", "seed of the search", &options.seed},
      {"--prune", "do not run candidates that a bound proves to be worse than the best", &options.prune},
      {"--reasons",
       "find what limits each candidate; usual up to 1024 ranks. More ranks take several times as long with it, since "
       "none of them may stand for others",
       &options.reasons},
      {"--no-reasons", "do not find what limits each candidate", &options.reasons},
      {"--results", "write the result of each candidate into this file as soon as it has run", &options.results},
      {"--resume", "continue the file of --results", &options.resume},
      {"--timeout", "the longest that one candidate may take, such as \"10 min\"; one that takes longer has failed",
       &options.timeout},
      {"--shard", "run only a share of the candidates, such as 2/8; needs --results", &options.shard},
      {"--candidates",
       "run the placements in this file, or - for standard input, as they come: the names of the ranks' devices, one "
       "placement a line; prints a line of JSON for each",
       &options.candidates},
      {"--merge", "rank the candidates in these result files; runs nothing", &options.merged, Values::words},
      report_rows(options.report),
      engine_rows(options.engine),
      jobs_row(options.jobs),
      {"--quiet", "no progress, and no notes", &options.quiet},
  };
}

Error usage(std::string_view option, std::string_view found, std::string_view expected) {
  return usage_error(fmt::format("{}: {}", option, mismatch(fmt::format("\"{}\"", found), expected)));
}

// Reads the options of the search, the shard and the budget.
Errors read_options(const SweepArguments& options, SweepOptions& sweep) {
  Errors errors;
  if (!options.budget.empty()) {
    sweep.most_runs = number_in<std::size_t>(options.budget);
    if (!sweep.most_runs)
      sweep.most_time = parse_duration(options.budget);
    if ((!sweep.most_runs || *sweep.most_runs == 0) && !sweep.most_time)
      errors.push_back(usage("--budget", options.budget, "a number of runs, or a time such as \"30 s\""));
  }
  if (!options.shard.empty()) {
    const auto slash = options.shard.find('/');
    const auto number = number_in<std::size_t>(std::string_view(options.shard).substr(0, slash));
    const auto all =
        number_in<std::size_t>(slash == std::string::npos ? "" : std::string_view(options.shard).substr(slash + 1));
    if (!number || !all || *number == 0 || *number > *all)
      errors.push_back(usage("--shard", options.shard, "such as 1/8, 2/8 … 8/8"));
    else
      std::tie(sweep.shard, sweep.shards) = std::pair(*number - 1, *all);
    if (options.results.empty())
      errors.push_back(usage_error("--shard needs --results, the file that is merged with those of the other shards"));
    if (options.prune || sweep.most_time)
      errors.push_back(usage_error("--shard runs all of its share; --prune and a time as --budget do not go with it"));
  }
  if (!options.timeout.empty()) {
    sweep.most_time_each = parse_duration(options.timeout);
    if (!sweep.most_time_each || sweep.most_time_each->value <= 0)
      errors.push_back(usage("--timeout", options.timeout, "a time such as \"90 s\" or \"10 min\""));
  }
  if (options.resume && options.results.empty())
    errors.push_back(usage_error("--resume needs --results, the file to go on with"));
  if (!options.merged.empty() && (!options.results.empty() || !options.shard.empty() || options.prune))
    errors.push_back(usage_error("--merge runs nothing; --results, --shard and --prune do not go with it"));
  const bool wants_ranking = !options.budget.empty() || !options.shard.empty() || !options.merged.empty() ||
                             !options.rankfile.empty() || !options.machinefile.empty() || !options.hostfile.empty() ||
                             wants_report(options.report);
  if (!options.candidates.empty() && wants_ranking)
    errors.push_back(usage_error("--candidates prints outcomes only; --budget, --shard, --merge, --report, --plot and "
                                 "files of ranks do not go with it"));
  if (options.scenario.files.size() > 1)
    errors.push_back(usage_error("one SCENARIO at a time"));
  if (options.scenario.files.empty() && options.merged.empty() && options.scenario.words.platform.empty())
    errors.push_back(
        usage_error("SCENARIO is required, unless --platform, --benchmark and --ranks state one, or --merge "
                    "names result files"));
  append(errors, check_report(options.report));
  sweep.seed = options.seed;
  sweep.prunes = options.prune;
  sweep.only_known = !options.merged.empty();
  sweep.jobs = jobs_of(options.jobs);
  return errors;
}

Result<Outcomes> merged_outcomes(const std::vector<std::string>& files, const Sweep& sweep) {
  Outcomes outcomes;
  Errors errors;
  for (const auto& file : files) {
    auto found = read_outcomes(file);
    if (!found)
      append(errors, found.errors());
    else if (found->fingerprint != sweep.fingerprint)
      errors.push_back(other_results(file, sweep));
    else
      outcomes.merge(found->outcomes);
  }
  if (!errors.empty())
    return errors;
  return outcomes;
}

using PointWriter = void (*)(const SweepPoint&, const Platform&, std::ostream&);

Errors write_point(const std::string& file, const SweepRecord& record, PointWriter writer) {
  if (file.empty() || record.points.empty()) // a shard may have no points
    return {};
  return write_whole(file, [&](std::ostream& out) { writer(record.points.front(), *record.platform, out); });
}

// Returns the machine with a candidate's ranks and the loads of its links; this runs the candidate once more.
std::optional<Machine> machine_of_point(const SweepPoint& point, const Sweep& sweep, const SweepArguments& options) {
  auto scenario = sweep.variants[point.variant].scenario;
  scenario.ranks = point.devices;
  scenario.reference.reset();
  return used_machine(scenario, engine_of(options.engine));
}

// Returns the launcher's order that is nearest to the best one. It runs all orders, which would take long with many
// ranks.
std::optional<NearestLaunch> nearest_launch(const SweepRecord& record, const Sweep& sweep,
                                            const SweepArguments& options) {
  constexpr std::size_t most_ranks = 1024;
  const auto points = that_ran(record);
  if (points.empty() || !record.has_placement || record.is_interrupted || points.front().devices.size() > most_ranks)
    return std::nullopt;
  const auto& best = points.front();
  const auto places = even_places(*record.platform, best.devices);
  if (!places)
    return std::nullopt;
  std::vector<Candidate> candidates;
  for (const auto order : launch_orders)
    candidates.push_back(
        {best.variant, dealt_out(*record.platform, best.devices, order), std::to_string(static_cast<int>(order))});
  EvaluationOptions how;
  how.jobs = jobs_of(options.jobs);
  how.each = {engine_of(options.engine), false};
  const auto outcomes = Evaluator(sweep, {}, how).run(candidates);
  std::optional<NearestLaunch> nearest;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!outcomes[i] || !outcomes[i]->failure.empty())
      continue;
    const auto loss = record.objective == Objective::time ? outcomes[i]->time / best.outcome.time - 1
                                                          : best.outcome.rate / outcomes[i]->rate - 1;
    if (!nearest || loss < nearest->loss)
      nearest = NearestLaunch{launch_orders[i], *places, loss};
  }
  return nearest;
}

Page page_with_orders(const SweepRecord& record, const Sweep& sweep, const SweepArguments& options) {
  SweepMachines machines;
  if (!that_ran(record).empty())
    machines.best = machine_of_point(record.points.front(), sweep, options);
  if (const auto* usual = default_of(record))
    machines.usual = machine_of_point(*usual, sweep, options);
  return page_of(record, machines);
}

Errors write_all(const SweepRecord& record, const Sweep& sweep, const SweepArguments& options, const Streams& streams) {
  print_report(report_of(record, options.shown), options.format, streams);
  auto errors = write_point(options.rankfile, record, write_rankfile);
  append(errors, write_point(options.machinefile, record, write_machinefile));
  append(errors, write_point(options.hostfile, record, write_hostfile));
  if (record.is_interrupted) // a page needs further runs
    return errors;
  append(errors, write_reports(options.report, streams, [&] { return page_with_orders(record, sweep, options); }));
  return errors;
}

Result<Sweep> wanted_sweep(const SweepArguments& options, const Streams& streams) {
  const auto edits = edits_of(options.scenario, streams);
  if (!edits)
    return edits.errors();
  if (!options.scenario.files.empty() || !options.scenario.words.platform.empty())
    return read_sweep(options.scenario.files.empty() ? "" : options.scenario.files.front(), *edits,
                      !options.candidates.empty());
  const auto first = read_outcomes(options.merged.front());
  return first ? read_sweep(first->scenario, *edits) : first.errors();
}

// Returns the outcomes that are known before anything runs.
Result<ResultFile> read_results(const SweepArguments& options, const Sweep& sweep) {
  if (options.merged.empty())
    return options.results.empty() ? ResultFile{} : open_results(options.results, options.resume, sweep);
  auto merged = merged_outcomes(options.merged, sweep);
  if (!merged)
    return merged.errors();
  return ResultFile{std::move(*merged), std::nullopt};
}

// Only the first process has the file; it shares the outcomes with the others.
Outcomes shared_outcomes(Outcomes known, const Team& team) {
  if (team.size() == 1)
    return known;
  std::vector<OutcomeEntry> entries;
  for (const auto& [key, outcome] : known)
    entries.push_back({key, outcome});
  entries = *decode<std::vector<OutcomeEntry>>(team.share(encode(entries)));
  for (auto& entry : entries)
    known[entry.key] = std::move(entry.outcome);
  return known;
}

// On an interrupt it returns the outcomes so far. Processes that mpirun started all end then, without a result.
Result<SweepRecord> run_sweep(const Sweep& sought, Outcomes known, SweepOptions& how, Progress progress) {
  std::optional<InterruptWatch> watch;
  if (how.team->size() == 1) {
    watch.emplace();
    how.is_interrupted = is_interrupted;
  }
  how.progress = std::ref(progress);
  return sweep(sought, std::move(known), how);
}

Error lost_candidates(const SweepRecord& record, const SweepArguments& options) {
  const auto first = std::ranges::find_if(record.points, [](const SweepPoint& point) { return point.outcome.is_lost; });
  return run_error(fmt::format("{} had no chance to run to the end{}; the first: {}", counted(record.lost, "candidate"),
                               options.results.empty() ? "" : ", so --resume runs them again", first->outcome.failure));
}

std::string how_to_resume(const SweepArguments& options) {
  if (options.results.empty())
    return "interrupted; with --results FILE the next sweep could go on from here";
  return fmt::format("interrupted; what was run is in {}, and the same command with --resume goes on", options.results);
}

// Whether to find the reason of each candidate's time.
bool seeks_reasons(const Sweep& sought, const SweepArguments& options, const Streams& streams, bool speaks) {
  constexpr std::size_t most_ranks = 1024;
  const bool are_many = std::ranges::any_of(
      sought.variants, [](const auto& variant) { return variant.scenario.ranks.size() > most_ranks; });
  if (are_many && !options.reasons && options.merged.empty() && !options.quiet && speaks)
    streams.err << fmt::format("note: reasons are left out for more than {} ranks; --reasons finds them\n", most_ranks);
  return options.reasons.value_or(!are_many);
}

// Layouts of a step of training. Nothing, if the workload is another one.
std::optional<int> sweep_layouts(const SweepArguments& options, const SweepOptions& how, const Streams& streams) {
  if (!options.merged.empty())
    return std::nullopt;
  const auto edits = edits_of(options.scenario, streams);
  const auto scenario =
      edits ? read_scenario(options.scenario.files.empty() ? "" : options.scenario.files.front(), *edits)
            : Result<Scenario>(edits.errors());
  if (!scenario || !is_of_model(*scenario)) // errors are those of the sweep
    return std::nullopt;
  if (!options.results.empty() || !options.rankfile.empty() || !options.machinefile.empty() ||
      !options.hostfile.empty())
    return report_errors({usage_error("a sweep over layouts of training writes no result files and no files of ranks")},
                         streams);
  LayoutSearch search;
  search.shown = std::max<std::size_t>(1, options.shown);
  search.most_runs = how.most_runs.value_or(search.most_runs);
  const auto found = sweep_training(*scenario, search);
  if (!found)
    return report_errors(found.errors(), streams);
  print_report(report_of(*found, search.shown), options.format, streams);
  const auto errors = write_reports(options.report, streams, [&] { return page_of(*found); });
  return errors.empty() ? 0 : report_errors(errors, streams);
}

// All processes that mpirun started come here; only the first one prints.
int sweep_all(const SweepArguments& options, const Streams& streams) {
  const Team team(!streams.faults); // a calling program may have joined them itself
  const bool speaks = team.rank() == 0;
  const auto refuse = [&](const Errors& errors) { return speaks ? report_errors(errors, streams) : exit_code(errors); };
  if (!team.errors().empty())
    return refuse(team.errors());
  SweepOptions how;
  if (const auto errors = read_options(options, how); !errors.empty())
    return refuse(errors);
  if (team.size() == 1)
    if (const auto done = sweep_layouts(options, how, streams))
      return *done;
  auto sought = wanted_sweep(options, streams);
  if (!sought)
    return refuse(sought.errors());
  if (!options.candidates.empty() && sought->variants.size() > 1)
    return refuse({usage_error("--candidates are placements; the sweep varies other fields, too")});
  for (const auto& variant : sought->variants)
    if (const auto errors = check_need(variant.scenario, need_of(variant.scenario), options.scenario.max_memory);
        !errors.empty())
      return refuse(errors);
  if (speaks && !options.quiet) {
    const auto crowded = std::ranges::find_if(
        sought->variants, [](const auto& variant) { return !crowded_devices(variant.scenario).empty(); });
    tell_assumptions((crowded != sought->variants.end() ? *crowded : sought->variants.front()).scenario, streams);
  }
  how.team = &team;
  how.each = {engine_of(options.engine), seeks_reasons(*sought, options, streams, speaks)};
  sought->fingerprint = fingerprint_of(*sought, how.each);
  auto opened = speaks ? read_results(options, *sought) : ResultFile{};
  if (!team.agree(opened.ok()))
    return speaks ? report_errors(opened.errors(), streams) : 2;
  auto& results = *opened;
  how.settled = [&](const std::string& key, const Outcome& outcome) {
    if (results.log && !outcome.is_lost)
      results.log->append(to_line({key, outcome}));
  };
  if (!options.candidates.empty()) {
    EvaluationOptions each{how.jobs, how.each, &team, {}, how.most_time_each, {}};
    each.settled = [&](const Candidate& candidate, const Outcome& outcome) { how.settled(candidate.key, outcome); };
    auto errors = answer_candidates(options.candidates, *sought, shared_outcomes(std::move(results.known), team), each,
                                    how.prunes, streams);
    if (results.log)
      append(errors, results.log->errors());
    return errors.empty() ? 0 : refuse(errors);
  }
  auto record = run_sweep(*sought, shared_outcomes(std::move(results.known), team), how,
                          {streams, "sweep: candidate", options.quiet || !speaks, how.most_time});
  if (!record)
    return refuse(record.errors());
  if (!speaks)
    return 0;
  if (!options.rankfile.empty())
    record->files.rankfile = options.rankfile;
  if (!options.hostfile.empty())
    record->files.hostfile = options.hostfile;
  if (options.format == "table")
    record->nearest = nearest_launch(*record, *sought, options);
  auto errors = write_all(*record, *sought, options, streams);
  if (record->is_interrupted)
    errors.push_back(interrupted(how_to_resume(options)));
  if (record->lost > 0)
    errors.push_back(lost_candidates(*record, options));
  if (results.log)
    append(errors, results.log->errors());
  return errors.empty() ? 0 : report_errors(errors, streams);
}

} // namespace

const Command sweep_command{"sweep", "run many variants of a scenario and rank them: where should the ranks go?",
                            "  kakehashi sweep scenarios/colfax-mic/sweep-ring-node.json --rankfile ranks.txt\n"
                            "  kakehashi sweep --platform mine.json --benchmark imb-alltoall --ranks \"n*.cpu*\"\n"
                            "  kakehashi sweep --platform cluster.json --training gpt-3-175b\n"
                            "  kakehashi sweep --budget 500 --seed 7 my-large-sweep.json\n"
                            "  kakehashi sweep scenarios/fx10-tofu/sweep-alltoall.json    (6144 ranks)\n"
                            "  kakehashi sweep --shard 1/2 --results a.results my-sweep.json      (and 2/2 elsewhere)\n"
                            "  kakehashi sweep --merge a.results b.results\n"
                            "  kakehashi sweep --results all.results --resume my-sweep.json       (after Ctrl-C)\n"
                            "  optimizer | kakehashi sweep --candidates - my.json\n",
                            takes(sweep_rows, sweep_all)};

} // namespace kakehashi
