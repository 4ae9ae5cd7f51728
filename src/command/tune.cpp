#include "base/hash.hpp"
#include "base/interrupt.hpp"
#include "base/number.hpp"
#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/gpu_tune.hpp"
#include "command/shared_options.hpp"
#include "command/shell/terminal.hpp"
#include "input/log/log_reader.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/scenario/fingerprint.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "report/format.hpp"
#include "report/page/pages.hpp"
#include "study/sweep/operation_tuning.hpp"
#include "workload/collective/libraries.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

struct TuneArguments {
  std::string platform;
  ScenarioWords words;
  std::string library;
  std::vector<std::string> collectives;
  std::vector<std::string> communicators;
  std::vector<std::string> placements;
  std::string margin;
  std::string against;
  std::string measured;
  std::string rules;
  std::vector<std::string> base;
  std::string format = "table";
  ReportArguments report;
  std::string results;
  bool resume = false;
  std::string timeout;
  EngineArguments engine;
  std::string max_memory;
  int jobs = 0;
  bool quiet = false;
};

OneOf tunable_libraries() {
  OneOf names;
  for (std::size_t i = 0; i < selector_names.size(); ++i)
    if (!forms_of(static_cast<Selector>(i), Collective::allreduce).empty())
      names.emplace_back(selector_names[i]);
  return names;
}

OneOf with_gpu_libraries(OneOf names) {
  names.insert(names.end(), {"nccl", "rccl"});
  return names;
}

OptionRows tune_rows(TuneArguments& options) {
  return {
      {"PLATFORM", "the platform file of the machine", &options.platform},
      {"--ranks", "the job's places, such as \"n*.cpu*\"", &options.words.ranks, Values::comma_list},
      {"--per-device", "number of ranks on each device of the pattern", &options.words.per_device, Range{1, 100000}},
      {"--fabric",
       "the fabric; of two, such as shm+ib, the first carries the messages inside nodes. Default: the only fabric that "
       "joins the ranks, or the only one that also joins devices inside nodes and between them",
       &options.words.fabric},
      {"--library",
       "the MPI library; default: the platform's, or open-mpi, which is 1.3 to 4.0. nccl and rccl: what these should "
       "take between the GPUs of --ranks",
       &options.library, with_gpu_libraries(tunable_libraries())},
      {"--env NAME=VALUE",
       "NAME=VALUE: a variable of NCCL's environment, such as NCCL_COLLNET_ENABLE=1; can be given several times",
       &options.words.variables},
      {"--collectives",
       "the operations, such as allreduce,bcast; default: the usual ones that the library has settings for",
       &options.collectives, Values::comma_list},
      {"--communicators", "numbers of ranks, such as 16,64: communicators of the first ones; default: all",
       &options.communicators, Values::comma_list},
      {"--placements",
       "orders of the ranks to try: block, cyclic (nodes in turn), cyclic-in-node, cyclic-over-numa, "
       "cyclic-over-caches; "
       "default: block",
       &options.placements, Values::comma_list},
      {"--sizes", "the sizes to begin with, such as \"8 B,1 MiB\"; between them more are run where the best changes",
       &options.words.sizes, Values::comma_list},
      {"--margin",
       "the least gain, in percent, for which the library's choice is changed; default: the typical error of "
       "predictions",
       &options.margin, Values::not_empty},
      {"--rules",
       "write what is proposed into this file: for Open MPI rules of coll/tuned, in the form of Open MPI 6 if its name "
       "ends in .json; for MPICH JSON; for Intel MPI variables of the environment; for nccl and rccl the CSV that the "
       "example of a tuner in NCCL's sources reads",
       &options.rules, Values::not_empty},
      {"--base",
       "MPICH's own selection, in which the file of --rules begins: the library itself, such as libmpich.so, or "
       "maint/tuning/coll/mpir/generic.json of its sources, and ch4/generic.json behind a comma",
       &options.base, Values::comma_list},
      {"--against", "also show what this file of rules gains and loses", &options.against, Values::not_empty},
      {"--measured",
       "a folder with the outputs of the runs that tune proposes, under the names that it gives them: measured times "
       "then decide",
       &options.measured, Values::not_empty},
      {"--set FIELD=VALUE", "another value for a field of the platform (platform:FIELD), as in simulate",
       &options.words.sets},
      format_row(options.format, format_names()),
      report_rows(options.report),
      {"--results", "write the result of each run into this file as soon as it has ended", &options.results},
      {"--resume", "continue the file of --results", &options.resume},
      {"--timeout", "the longest that one run may take, such as \"10 min\"; an algorithm that takes longer is left out",
       &options.timeout},
      engine_rows(options.engine),
      memory_rows(options.max_memory),
      jobs_row(options.jobs),
      {"--quiet", "no progress, and no notes", &options.quiet},
  };
}

Error not_taken(std::string_view option, std::string_view found, const std::string& expected,
                std::string suggestion = "") {
  return usage_error(fmt::format("{}: {}", option, mismatch(in_quotes(std::string(found)), expected)),
                     std::move(suggestion));
}

// Makes a scenario for each placement, as --order of simulate does.
Result<Sweep> places_of(const TuneArguments& options, const std::vector<std::string>& placements,
                        const Streams& streams) {
  Sweep places;
  for (const auto& placement : placements) {
    ScenarioArguments arguments{{}, options.words, options.max_memory};
    auto& words = arguments.words;
    words.platform = options.platform;
    words.benchmark = "osu-allreduce";
    words.order = placement;
    words.sizes.clear();
    if (!options.library.empty())
      words.sets.push_back("mpi.collectives=" + options.library);
    auto scenario = scenario_of(arguments, streams);
    if (!scenario)
      return scenario.errors();
    scenario->file = options.platform;
    places.variants.push_back({{}, std::move(*scenario)});
  }
  std::vector<std::string> texts{options.words.fabric, options.library, std::to_string(options.words.per_device),
                                 fmt::format("{}", fmt::join(options.words.ranks, "\n")),
                                 fmt::format("{}", fmt::join(options.words.sets, "\n"))};
  const auto text = streams.texts.find(options.platform);
  const auto platform = text != streams.texts.end() ? Result(text->second) : read_text(options.platform);
  if (!platform)
    return platform.errors();
  texts.push_back(*platform);
  const auto fingerprint = fingerprint_of(texts, places.variants);
  if (!fingerprint)
    return fingerprint.errors();
  places.fingerprint = *fingerprint;
  return places;
}

std::vector<std::string> usual_placements(const TuneArguments& options) {
  return options.placements.empty() ? std::vector<std::string>{"block"} : options.placements;
}

void read_collectives(const TuneArguments& options, Selector library, TuneRequest& request, Errors& errors) {
  using enum Collective;
  const auto is_tunable = [&](Collective each) {
    const bool has_benchmark = each != scan && each != exscan; // a benchmark of OSU
    return has_benchmark && !forms_of(library, each).empty();
  };
  for (const auto each : {barrier, bcast, reduce, allreduce, gather, scatter, allgather, alltoall, reduce_scatter})
    if (options.collectives.empty() && is_tunable(each))
      request.collectives.push_back(each);
  std::vector<std::string> names;
  for (const auto& row : collective_rows)
    if (is_tunable(row.collective))
      names.emplace_back(row.name);
  for (const auto& name : options.collectives)
    if (std::ranges::find(names, name) == names.end())
      errors.push_back(not_taken("--collectives", name,
                                 fmt::format("operations for which {} has settings: {}",
                                             selector_names[static_cast<std::size_t>(library)], fmt::join(names, ", ")),
                                 closest(name, names)));
    else if (const auto each = *from_name<Collective>(collective_names, name);
             std::ranges::find(request.collectives, each) == request.collectives.end())
      request.collectives.push_back(each);
}

void read_communicators(const TuneArguments& options, std::size_t ranks, TuneRequest& request, Errors& errors) {
  for (const auto& text : options.communicators)
    if (const auto number = number_in<std::size_t>(text); number && *number >= 2 && *number <= ranks)
      request.communicators.push_back(static_cast<int>(*number));
    else
      errors.push_back(not_taken("--communicators", text,
                                 fmt::format("a number of ranks from 2 to {}, as many as --ranks has", ranks)));
  if (options.communicators.empty())
    request.communicators = {static_cast<int>(ranks)};
  std::ranges::sort(request.communicators);
  request.communicators.erase(std::unique(request.communicators.begin(), request.communicators.end()),
                              request.communicators.end());
}

void read_sizes(const TuneArguments& options, TuneRequest& request, Errors& errors) {
  for (const auto& text : options.words.sizes)
    if (const auto size = parse_bytes(text); size && size->count > 0 && *size <= largest_size)
      request.sizes.push_back(size->count);
    else
      errors.push_back(
          not_taken("--sizes", text, size && size->count == 0 ? "more than 0 B" : std::string(expected_bytes(text))));
  std::ranges::sort(request.sizes);
}

// Reads the outputs of OSU benchmarks in a folder, each of one size.
void read_measured(const std::string& folder, TuneRequest& request, Errors& errors) {
  std::error_code status;
  for (const auto& each : std::filesystem::directory_iterator(folder, status)) {
    const auto file = each.path().string();
    if (each.path().extension() != ".log")
      continue;
    const auto tables = read_logs(file);
    const auto curve = tables ? curve_of(tables->back(), Metric::time) : Result<Curve>(tables.errors());
    if (!curve)
      append(errors, curve.errors());
    else if (curve->points.size() != 1 || !(curve->points.front().value > 0))
      errors.push_back(input_error(file, "", fmt::format("got {} sizes, expected one", curve->points.size())));
    else
      request.measured[each.path().filename().string()] = microseconds(curve->points.front().value);
  }
  if (status || (request.measured.empty() && errors.empty()))
    errors.push_back(usage_error(
        fmt::format("--measured {}: {}", folder, status ? status.message() : "no file of it ends in .log")));
}

Result<TuneRequest> request_of(const TuneArguments& options, const Sweep& places) {
  const auto& scenario = places.variants.front().scenario;
  const auto library = scenario.mpi.selector.value_or(Selector::open_mpi);
  TuneRequest request;
  Errors errors;
  if (forms_of(library, Collective::allreduce).empty())
    return not_taken("--library", selector_names[static_cast<std::size_t>(library)],
                     fmt::format("one whose users can choose algorithms: {}", fmt::join(tunable_libraries(), ", ")));
  request.placements = usual_placements(options);
  read_collectives(options, library, request, errors);
  read_communicators(options, scenario.ranks.size(), request, errors);
  read_sizes(options, request, errors);
  if (!options.margin.empty()) {
    const auto margin = number_in<double>(options.margin);
    if (!margin || !(*margin >= 0) || *margin > 1e6)
      errors.push_back(not_taken("--margin", options.margin, "a gain in percent, such as 10"));
    else
      request.margin = *margin / 100;
  }
  if (!options.timeout.empty()) {
    request.how.most_time = parse_duration(options.timeout);
    if (!request.how.most_time || request.how.most_time->value <= 0)
      errors.push_back(not_taken("--timeout", options.timeout, "a time such as \"90 s\" or \"10 min\""));
  }
  if (options.resume && options.results.empty())
    errors.push_back(usage_error("--resume needs --results, the file to go on with"));
  if (!options.against.empty()) {
    auto rules = read_rules(options.against, library);
    if (!rules)
      append(errors, rules.errors());
    else
      request.against = std::make_shared<const CollectiveRules>(std::move(*rules));
  }
  if (!options.measured.empty())
    read_measured(options.measured, request, errors);
  if (!errors.empty())
    return errors;
  request.how.jobs = jobs_of(options.jobs);
  request.how.each = {engine_of(options.engine), false};
  return request;
}

Errors check_places(const TuneArguments& options, const std::vector<std::string>& placements) {
  const std::vector<std::string> known{"block", "cyclic", "cyclic-in-node", "cyclic-over-numa", "cyclic-over-caches"};
  Errors errors;
  if (options.words.ranks.empty())
    errors.push_back(usage_error("--ranks is missing, such as \"n*.cpu*\""));
  std::set<std::string> seen;
  for (const auto& each : placements)
    if (std::ranges::find(known, each) == known.end())
      errors.push_back(
          not_taken("--placements", each, fmt::format("{}", fmt::join(known, ", ")), closest(each, known)));
    else if (!seen.insert(each).second)
      errors.push_back(not_taken("--placements", each, "each only once"));
  return errors;
}

std::string how_to_go_on(const TuneArguments& options) {
  if (options.results.empty())
    return "interrupted; with --results FILE the next one could go on from here";
  return fmt::format("interrupted; what was run is in {}, and the same command with --resume goes on", options.results);
}

// NCCL's choices come from its model and ours, without runs of any placement.
int tune_gpus_of(const TuneArguments& options, const Streams& streams) {
  const std::pair<const char*, bool> unfit[] = {{"--communicators", !options.communicators.empty()},
                                                {"--placements", !options.placements.empty()},
                                                {"--against", !options.against.empty()},
                                                {"--measured", !options.measured.empty()},
                                                {"--base", !options.base.empty()},
                                                {"--results", !options.results.empty()},
                                                {"--resume", options.resume},
                                                {"--timeout", !options.timeout.empty()}};
  Errors errors = check_places(options, {});
  for (const auto& [option, is_given] : unfit)
    if (is_given)
      errors.push_back(usage_error(fmt::format("{} does not go with --library {}", option, options.library)));
  if (!errors.empty())
    return report_errors(errors, streams);
  GpuTuneArguments arguments{options.words, options.collectives, options.margin,
                             options.rules, options.format,      options.report};
  arguments.words.platform = options.platform;
  arguments.words.gpu_library = options.library;
  return tune_gpu_library(arguments, streams);
}

int tune_all(const TuneArguments& options, const Streams& streams) {
  if (const auto errors = check_report(options.report); !errors.empty())
    return report_errors(errors, streams);
  if (options.library == "nccl" || options.library == "rccl")
    return tune_gpus_of(options, streams);
  const auto placements = usual_placements(options);
  if (const auto errors = check_places(options, placements); !errors.empty())
    return report_errors(errors, streams);
  auto places = places_of(options, placements, streams);
  if (!places)
    return report_errors(places.errors(), streams);
  auto request = request_of(options, *places);
  if (!request)
    return report_errors(request.errors(), streams);
  if (!options.quiet)
    tell_assumptions(places->variants.front().scenario, streams);
  places->fingerprint = fingerprint_of(*places, request->how.each);
  const auto library = places->variants.front().scenario.mpi.selector.value_or(Selector::open_mpi);
  const auto rules = rules_output(options.rules, options.base, library);
  if (!rules)
    return report_errors(rules.errors(), streams);
  if (!options.base.empty())
    request->release = rules->base.release;
  auto results =
      options.results.empty() ? Result(ResultFile{}) : open_results(options.results, options.resume, *places);
  if (!results)
    return report_errors(results.errors(), streams);
  request->how.settled = [&](const Candidate& candidate, const Outcome& outcome) {
    if (results->log && !outcome.is_lost)
      results->log->append(to_line({candidate.key, outcome}));
  };
  const InterruptWatch watch;
  const auto tuning = [&] {
    Progress progress(streams, "tune: run", options.quiet);
    request->progress = std::ref(progress);
    return tune(*places, std::move(results->known), *request);
  }();
  if (!tuning && is_interrupted())
    return report_errors({interrupted(how_to_go_on(options))}, streams);
  if (!tuning)
    return report_errors(tuning.errors(), streams);
  print_report(report_of(*tuning), options.format, streams);
  auto errors = results->log ? results->log->errors() : Errors();
  if (const auto files = write_rules(*rules, *tuning); !files)
    append(errors, files.errors());
  else if (!files->empty() && options.format == "table")
    write_rules_lines(*tuning, rules->form, *files, streams.out);
  append(errors, write_reports(options.report, streams, [&] { return page_of(*tuning); }));
  return errors.empty() ? 0 : report_errors(errors, streams);
}

} // namespace

const Command tune_command{
    "tune", "find out which algorithms of an MPI library's collective operations to take for which sizes",
    "  kakehashi tune cluster.json --ranks \"node*.cpu*\" --per-device 4 --library open-mpi-4.1\n"
    "  kakehashi tune cluster.json --ranks \"node*.cpu*\" --collectives allreduce,alltoall --communicators 4,16\n"
    "  kakehashi tune cluster.json --ranks \"node*.cpu*\" --per-device 8 --placements block,cyclic-in-node\n"
    "  kakehashi tune cluster.json --ranks \"node*.cpu*\" --margin 10 --against my_rules.conf\n"
    "  kakehashi tune cluster.json --ranks \"node*.gpu*\" --library nccl --rules nccl_tuner.csv\n"
    "  kakehashi tune cluster.json --ranks \"node*.cpu*\" --library open-mpi-4.1 --rules rules.conf\n"
    "  kakehashi tune cluster.json --ranks \"node*.cpu*\" --library mpich-4 --rules rules.json --base libmpich.so\n"
    "  kakehashi tune cluster.json --ranks \"node*.cpu*\" --measured outputs    (of the runs that it proposed)\n"
    "  kakehashi tune cluster.json --ranks \"node*.cpu*\" --results tune.results --resume    (after Ctrl-C)\n",
    takes(tune_rows, tune_all)};

} // namespace kakehashi
