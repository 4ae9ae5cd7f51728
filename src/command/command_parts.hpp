// What several commands do with recordings, results and reports.
#pragma once

#include "command/command.hpp"
#include "command/shell/terminal.hpp"
#include "input/growth/growth.hpp"
#include "input/platform/mpi_reader.hpp"
#include "input/trace/recording/recording_source.hpp"
#include "report/page/page.hpp"
#include "report/report_parts.hpp"
#include "result/record.hpp"
#include "study/run/scenario_run.hpp"
#include "study/sweep/evaluation.hpp"
#include "study/sweep/outcome_file.hpp"
#include "writer/rules_writer.hpp"

#include <chrono>
#include <functional>
#include <ostream>
#include <string_view>
#include <vector>

namespace kakehashi {

// Recordings → two lines about each, and one about what several of them predict for more ranks.
std::string summary_of_recording(const std::string& folder, const RecordingSurvey& survey);
std::string summary_of_growth(const GrowthError& error);

// The program's own time, phase by phase.
class Stopwatch {
public:
  struct Lap {
    std::string_view phase;
    std::chrono::duration<double> time;
  };

  // Ends a phase that began at the end of the previous one.
  void end(std::string_view phase) {
    const auto now = Clock::now();
    laps_.push_back({phase, now - last_});
    last_ = now;
  }
  const std::vector<Lap>& laps() const { return laps_; }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  std::vector<Lap> laps_;
};

// Writes the program's own work in a run, for --stats: counts, peak memory and times.
void write_stats(const RunRecord& record, const Stopwatch& watch, std::ostream& out);

struct ReportFormat;

// Returns "simulate: row 2 of 24, iteration 3 of at least 4, 1200000 messages, 350000/s, at least 40 s left".
// `expected` is the least number of messages that are simulated; 0: unknown.
std::string run_progress_text(const JobProgress& job, std::size_t messages, Seconds passed, double expected);

// Returns "about 40 s or more, …" for a run that takes at least this long; empty: it is short.
std::string long_run_text(Seconds time);

// A running simulation → its rows on standard output as they are finished, and its progress on a terminal.
class RowDisplay {
public:
  // is_shown: rows go to standard output; otherwise the result is for a file.
  RowDisplay(const ReportFormat& format, bool is_shown, bool quiet, bool shows_range, const Streams& streams);

  // Runs it and shows its rows. An interrupt ends it; finished rows have been written by then, unless they go into a
  // file.
  Result<RunRecord> watch(const std::function<Result<RunRecord>(const RowWatch&)>& run);
  // Writes the rest of the record.
  void end(const RunRecord& record);

private:
  void begins(Seconds time, double messages);
  void finished(const RunRecord& so_far);
  bool goes_on(const JobProgress& job, std::size_t messages);
  Error stopped();

  const ReportFormat& format_; // with a writer of parts, these are written as they come
  bool is_shown_;
  const Streams& streams_;
  Progress progress_;
  ReportParts parts_; // those written so far
  PartsOut out_;
  bool shows_range_;
  RunRecord last_;
  JobProgress job_;
  double expected_ = 0; // number of messages
  bool quiet_;
};

// The files of rules that `tune` writes: what the options ask for, checked before anything runs.
struct RulesOutput {
  std::string file; // empty: none is asked for
  RulesForm form = RulesForm::none;
  MpichBase base{}; // MPICH's own selections
};

// Errors: the library has no files of rules, its own selection is missing, or a file cannot be written.
Result<RulesOutput> rules_output(const std::string& file, const std::vector<std::string>& base, Selector library);

// Returns the files that were written.
Result<std::vector<std::string>> write_rules(const RulesOutput& output, const Tuning& tuning);

// The file of --results, ready for more lines, and its present outcomes.
struct ResultFile {
  Outcomes known;
  std::optional<OutcomeLog> log;
};

// Errors: the file exists and is not to be resumed, cannot be written, or belongs to another study.
Result<ResultFile> open_results(const std::string& file, bool resume, const Sweep& sweep);

Error other_results(const std::string& file, const Sweep& sweep);

// The page of a command's result → the files of --report and --plot, which several commands have.
struct ReportArguments {
  std::string page; // files; empty: none
  std::string plot;
};
OptionRows report_rows(ReportArguments& report);

bool wants_report(const ReportArguments& report); // whether it names a file
bool wants_page(const ReportArguments& report, const Streams& streams);
// Finds faults that would keep the files from being written, before a long run.
Errors check_report(const ReportArguments& report);

// Makes the page only if it is wanted. A file is written as a whole or not at all.
Errors deliver_page(const Page& page, const ReportArguments& report, const Streams& streams);
template <class Make> Errors write_reports(const ReportArguments& report, const Streams& streams, const Make& make) {
  return wants_page(report, streams) ? deliver_page(make(), report, streams) : Errors();
}

} // namespace kakehashi
