#include "base/interrupt.hpp"
#include "command/command.hpp"
#include "command/command_parts.hpp"
#include "command/shared_options.hpp"
#include "command/shell/terminal.hpp"
#include "command/shell/whole_file.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "report/format.hpp"
#include "report/page/pages.hpp"
#include "study/machine/machine_views.hpp"
#include "study/run/scenario_run.hpp"
#include "study/training/training_studies.hpp"
#include "workload/workload.hpp"
#include "writer/event_lines.hpp"
#include "writer/export_writer.hpp"
#include "writer/step_timeline.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace kakehashi {
namespace {

struct SimulateArguments {
  ScenarioArguments scenario;
  EngineArguments engine;
  ReportArguments report;
  std::string format = "table";
  std::string output; // a folder; empty: standard output
  int repeat = 1;
  int jobs = 0;
  bool summary = false;
  bool range = false;
  std::vector<std::string> timelines; // files
  std::size_t timeline_events = usual_timeline_events;
  std::vector<std::string> events; // categories
  std::string event_file;          // empty: standard error
  bool stats = false;
  bool quiet = false;
};

OptionRows simulate_rows(SimulateArguments& options) {
  return {
      scenario_rows(options.scenario, "the scenario files to run"),
      part_rows(options.scenario.words.part),
      format_row(options.format, format_names()),
      {"--output", "write NAME.txt, .csv, .json or .md into this folder, and nothing to standard output",
       &options.output},
      engine_rows(options.engine),
      {"--repeat",
       "number of runs with different orders of simultaneous events; prints the median and spread of their times",
       &options.repeat, Range{1, 1000}},
      {"--jobs", "processes at a time, for the rows of a long table and for --repeat; default: one for each core",
       &options.jobs, Range{1, 1024}},
      {"--summary",
       "also show where each rank's time went, the critical path, and how much links were used; not with csv. A "
       "replay shows the most important part of it anyway",
       &options.summary},
      {"--range",
       "also show low and high: four of five measured values lie between them, by the errors of predictions for "
       "machines that nobody tuned. JSON and reports always have them",
       &options.range},
      {"--timeline FILE",
       "write what each rank and link does and when: FILE.json for Perfetto (Chrome's trace event format), "
       "FILE.trace for ViTE (Paje); can be given twice, for both",
       &options.timelines},
      {"--timeline-events",
       "the most events of a time line; longer ones keep only the busiest ranks and links, and the totals of all",
       &options.timeline_events, Range{1000, 100000000}},
      {"--trace-events",
       "write what the engine does, event by event: message, flow, match, rounds (those that are left out), or all; "
       "such as flow,match",
       &options.events, Values::comma_list},
      {"--trace-file", "write the events into this file: FILE.jsonl as lines of JSON; default: standard error",
       &options.event_file, Values::not_empty},
      report_rows(options.report),
      {"--stats",
       "also write the program's own work to standard error: messages, events, solves of the fluid engine, routes, "
       "connections, peak memory, and how it spent its own time",
       &options.stats},
      {"--quiet", "print only results and errors", &options.quiet},
  };
}

// Informs the user of values of the platform that are guesses or were fitted by hand.
void tell_weak_sources(const RunRecord& record, const Streams& streams) {
  std::size_t by_hand = 0;
  for (const auto& [place, source] : record.sources)
    by_hand += source.kind == SourceKind::hand_fitted;
  if (by_hand > 0)
    streams.err << fmt::format("note: {} of the {} regimes and adjustments that were used are fitted by hand\n",
                               by_hand, record.sources.size());
}

// Writes the record to standard output, except what is there already, or into a file.
Errors write_record(const RunRecord& record, RowDisplay& display, const SimulateArguments& options,
                    const Streams& streams) {
  if (options.output.empty()) {
    display.end(record);
    return {};
  }
  const auto& format = *find_format(options.format);
  const auto file = (std::filesystem::path(options.output) / (record.scenario + std::string(format.ending))).string();
  std::error_code status;
  std::filesystem::create_directories(options.output, status);
  auto errors = write_whole(file, [&](std::ostream& out) { write_report(report_of(record), format, {out}); });
  if (errors.empty() && !options.quiet)
    streams.err << "wrote " << printable(file) << '\n';
  return errors;
}

using TimelineWriter = void (*)(const RunTimeline&, std::ostream&);

// Chooses by the ending of the file; null if it has neither.
TimelineWriter timeline_writer(const std::string& file) {
  const auto ending = std::filesystem::path(file).extension();
  return ending == ".json" ? write_chrome : ending == ".trace" ? write_paje : TimelineWriter{};
}

Errors check_events(const SimulateArguments& options) {
  Errors errors;
  for (const auto& name : options.events)
    if (name != "all" && !from_name<EventCategory>(event_category_names, name))
      errors.push_back(
          usage_error("--trace-events: " + mismatch(in_quotes(name), "message, flow, match, rounds or all")));
  if (!options.events.empty() && options.scenario.files.size() > 1)
    errors.push_back(usage_error("--trace-events goes with one scenario"));
  if (options.events.empty() && !options.event_file.empty())
    errors.push_back(usage_error("--trace-file needs --trace-events, which selects some"));
  if (!options.event_file.empty())
    append(errors, check_writable(options.event_file));
  return errors;
}

// Finds faults that would make the results useless or incomplete, before a long run.
Errors check_simulate(const SimulateArguments& options) {
  Errors errors;
  if (options.scenario.files.size() > 1 && options.format == "json" && options.output.empty())
    errors.push_back(
        usage_error("several scenarios go with --format table, csv or markdown, or with --output, a file for each"));
  if (options.scenario.files.size() > 1 && !options.timelines.empty())
    errors.push_back(usage_error("--timeline goes with one scenario"));
  append(errors, check_events(options));
  if (options.scenario.files.size() > 1 && wants_report(options.report))
    errors.push_back(usage_error("--report and --plot go with one scenario"));
  if (options.summary && options.format == "csv")
    errors.push_back(usage_error("--summary does not go with --format csv"));
  for (const auto& file : options.timelines) {
    if (!timeline_writer(file))
      errors.push_back(
          usage_error("--timeline: " + mismatch(fmt::format("\"{}\"", file), "a name that ends in .json or .trace")));
    else
      append(errors, check_writable(file));
  }
  append(errors, check_report(options.report));
  return errors;
}

Errors write_timelines(const RunTimeline& run, const SimulateArguments& options, const Streams& streams) {
  const auto& timeline = *run.recording.timeline;
  for (const auto& name : options.timelines) {
    auto errors = write_whole(name, [&](std::ostream& out) { timeline_writer(name)(run, out); });
    if (!errors.empty())
      return errors;
  }
  if (const auto limits = limits_text(timeline); !limits.empty())
    streams.err << "note: the time line has " << limits << '\n';
  return {};
}

// A replay shows the essentials without being asked, since that is its purpose. CSV has room only for times.
bool is_summarised(const Scenario& scenario, const SimulateArguments& options) {
  return options.summary || (is_recorded(scenario.workload) && options.format != "csv");
}

// Whether the main chart of the page shows sizes, and so needs no recording.
bool draws_sizes(const Scenario& scenario) {
  const auto* benchmark = std::get_if<Benchmark>(&scenario.workload);
  return scenario.reference || (benchmark && benchmark->sizes.size() > 1);
}

// A run, with data that only a report shows.
struct ReportedRun {
  RunRecord record;
  std::optional<RunSummary> summary; // complete, whatever the table shows
};

EngineEvents watcher(const SimulateArguments& options, std::ostream& out) {
  const auto form = options.event_file.ends_with(".jsonl") ? EventForm::json : EventForm::text;
  if (std::ranges::find(options.events, "all") == options.events.end())
    return event_lines(options.events, form, out);
  return event_lines(std::vector<std::string>(event_category_names.begin(), event_category_names.end()), form, out);
}

// Runs the scenario, and records what the options ask for.
Result<ReportedRun> run_recorded(const Scenario& scenario, const RunPlan& plan, const SimulateArguments& options,
                                 const Streams& streams, RowDisplay& display, Stopwatch& watch) {
  const bool is_told = is_summarised(scenario, options);
  Recording recording;
  recording.keep_path =
      is_told || !options.report.page.empty() || (wants_page(options.report, streams) && !draws_sizes(scenario));
  if (recording.keep_path)
    recording.traffic.emplace(scenario.ranks.size());
  if (!options.timelines.empty())
    recording.timeline.emplace(options.timeline_events);
  std::optional<WholeFile> event_file;
  if (!options.event_file.empty()) {
    auto opened = WholeFile::open(options.event_file);
    if (!opened)
      return opened.errors();
    event_file.emplace(std::move(*opened));
  }
  if (!options.events.empty())
    recording.watch = watcher(options, event_file ? event_file->stream() : streams.err);
  const bool is_recorded = recording.keep_path || !options.timelines.empty() || recording.watch;
  auto record = display.watch([&](const RowWatch& rows) {
    return run(scenario, plan, is_recorded ? &recording : nullptr, &rows, jobs_of(options.jobs));
  });
  watch.end("simulating");
  if (!record)
    return record.errors();
  ReportedRun done{std::move(*record), std::nullopt};
  if (recording.keep_path)
    done.summary = summarise(recording, plan, done.record);
  if (done.summary && done.record.table.calls)
    add_places(recording, *done.record.table.calls);
  if (done.summary && kakehashi::is_recorded(scenario.workload)) {
    const auto ideal = options.summary ? ideal_time(scenario, plan) : Result<Seconds>(Seconds{});
    if (!ideal)
      return ideal.errors();
    done.summary->efficiencies = efficiencies_of(done.summary->ranks, done.record.duration, *ideal);
  }
  if (is_told) {
    done.record.summary = done.summary;
    done.record.summary->is_brief = !options.summary;
  }
  if (auto errors = event_file ? event_file->commit() : Errors{}; !errors.empty())
    return errors;
  if (options.timelines.empty())
    return done;
  std::vector<TimelineLink> links;
  for (const auto& channel : plan.topology->channels())
    links.push_back({channel.name, channel.capacity});
  if (auto errors = write_timelines({done.record, recording, std::move(links)}, options, streams); !errors.empty())
    return errors;
  return done;
}

Errors write_page_of(const ReportedRun& done, const Scenario& scenario, const SimulateArguments& options,
                     const Streams& streams) {
  return write_reports(options.report, streams, [&] {
    auto record = done.record;
    record.summary = done.summary;
    auto machine = machine_of(scenario);
    if (done.summary)
      add_use(machine, done.summary->links);
    return page_of(record, machine);
  });
}

// A step of training has no messages to record, and its report goes where that of a run would.
int simulate_training(const Scenario& scenario, const SimulateArguments& options, const Streams& streams) {
  for (const auto& [is_set, option] : {std::pair(options.summary, "--summary"), std::pair(options.range, "--range"),
                                       std::pair(options.repeat > 1, "--repeat"), std::pair(options.stats, "--stats")})
    if (is_set)
      return report_errors({usage_error(fmt::format("{} does not go with a step of training", option))}, streams);
  const auto record = run_training(scenario);
  if (!record)
    return report_errors(record.errors(), streams);
  const auto& format = *find_format(options.format);
  Errors errors;
  if (options.output.empty()) {
    print_report(report_of(*record), options.format, streams);
  } else {
    const auto file = (std::filesystem::path(options.output) / (scenario.name + std::string(format.ending))).string();
    std::error_code status;
    std::filesystem::create_directories(options.output, status);
    errors = write_whole(file, [&](std::ostream& out) { write_report(report_of(*record), format, {out}); });
    if (errors.empty() && !options.quiet)
      streams.err << "wrote " << printable(file) << '\n';
  }
  for (const auto& file : options.timelines)
    append(errors, file.ends_with(".json")
                       ? write_whole(file, [&](std::ostream& out) { write_step_trace(record->times, out); })
                       : Errors{usage_error("--timeline: a step of training is written as FILE.json only")});
  append(errors, write_reports(options.report, streams, [&] { return page_of(*record); }));
  return errors.empty() ? 0 : report_errors(errors, streams);
}

int simulate_one(const std::string& file, const ScenarioEdits& edits, const SimulateArguments& options,
                 const Streams& streams) {
  Stopwatch watch;
  const auto scenario = read_scenario(file, edits);
  if (!scenario)
    return report_errors(scenario.errors(), streams);
  watch.end("reading");
  if (is_of_model(*scenario))
    return simulate_training(*scenario, options, streams);
  const auto planned = plan(*scenario, engine_of(options.engine));
  if (!planned)
    return report_errors(planned.errors(), streams);
  if (const auto errors = check_need(*scenario, planned->need, options.scenario.max_memory); !errors.empty())
    return report_errors(errors, streams);
  watch.end("planning");
  if (!options.quiet) {
    tell_assumptions(*scenario, streams);
    if (const auto& field = scenario->without_reference; !field.empty())
      streams.err << fmt::format("note: the reference of {} is left out, which was measured with {}\n", scenario->file,
                                 field == "/ranks" ? "other ranks" : "another " + field.substr(field.rfind('/') + 1));
  }
  std::optional<Repeats> repeats;
  if (options.repeat > 1) {
    Progress progress(streams, "simulate: run", options.quiet);
    auto found = repeat(*scenario, *planned, options.repeat, jobs_of(options.jobs), std::ref(progress));
    if (!found)
      return report_errors(found.errors(), streams);
    repeats = std::move(*found);
    watch.end("repeating");
  }
  RowDisplay display(*find_format(options.format), options.output.empty(), options.quiet, options.range, streams);
  auto done = run_recorded(*scenario, *planned, options, streams, display, watch);
  if (!done)
    return report_errors(done.errors(), streams);
  auto& record = done->record;
  record.repeats = std::move(repeats);
  record.shows_range = options.range;
  if (!options.quiet)
    tell_weak_sources(record, streams);
  if (!options.quiet && options.format == "csv") // which has no place for it
    for (const auto& [column, value] : record.table.totals)
      if (column.name == "remark")
        streams.err << "note: " << std::get<std::string>(value) << '\n';
  if (const auto errors = write_record(record, display, options, streams); !errors.empty())
    return report_errors(errors, streams);
  if (options.output.empty())
    show_chart(chart_of(record), streams);
  if (const auto errors = write_page_of(*done, *scenario, options, streams); !errors.empty())
    return report_errors(errors, streams);
  watch.end("reporting");
  if (options.stats)
    write_stats(record, watch, streams.err);
  return 0;
}

// Joins CSV of several runs; an equal header is not repeated.
class JoinedCsv {
public:
  void write(const std::string& text, std::ostream& out) {
    if (text.empty()) // the run failed
      return;
    const auto header = text.substr(0, text.find('\n') + 1);
    out << std::string_view(text).substr(header == header_ ? header.size() : 0) << std::flush;
    header_ = header;
  }

private:
  std::string header_;
};

// Runs each scenario in turn, even after one that fails.
int simulate(const SimulateArguments& options, const Streams& streams) {
  if (const auto errors = check_simulate(options); !errors.empty())
    return report_errors(errors, streams);
  const auto edits = edits_of(options.scenario, streams);
  if (!edits)
    return report_errors(edits.errors(), streams);
  if (options.scenario.files.size() < 2)
    return simulate_one(options.scenario.files.empty() ? "" : options.scenario.files.front(), *edits, options, streams);
  int exit_code = 0;
  JoinedCsv joined;
  for (const auto& file : options.scenario.files) {
    if (options.format == "csv" && options.output.empty()) {
      std::ostringstream text;
      exit_code = std::max(
          exit_code, simulate_one(file, *edits, options, {text, streams.err, 0, streams.faults, streams.progress, {}}));
      joined.write(text.str(), streams.out);
    } else {
      if (options.output.empty() && &file != &options.scenario.files.front())
        streams.out << '\n';
      exit_code = std::max(exit_code, simulate_one(file, *edits, options, streams));
    }
    if (exit_code == interrupt_exit)
      break;
  }
  return exit_code;
}

} // namespace

const Command simulate_command{
    "simulate", "run a scenario and print the table that its benchmark would print",
    "  kakehashi simulate scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json\n"
    "  kakehashi simulate --format csv scenarios/hpcdiy-qdr/bw-*.json > bw.csv\n"
    "  kakehashi simulate --fabric gbe --sizes \"8 B,4 KiB\" my-scenario.json\n"
    "  kakehashi simulate --platform mine.json --benchmark imb-alltoall --ranks \"n*.cpu\" "
    "--per-device 8\n"
    "  kakehashi simulate --format json --output results my-scenario.json\n"
    "  kakehashi simulate --summary scenarios/colfax-mic/ring-default.json\n"
    "  kakehashi simulate --timeline ring.json scenarios/colfax-mic/ring-default.json\n"
    "  kakehashi simulate --platform cluster.json --training gpt-3-175b,tensor=8,pipeline=8\n"
    "  kakehashi simulate --report heat.html scenarios/heat/heat.json\n",
    takes(simulate_rows, simulate)};

} // namespace kakehashi
