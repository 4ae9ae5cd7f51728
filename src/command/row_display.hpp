// A running simulation → its rows on standard output as they are finished, and its progress on a terminal.
#pragma once

#include "command/command.hpp"
#include "command/shell/terminal.hpp"
#include "report/run_report.hpp"
#include "study/run/run.hpp"

#include <functional>

namespace kakehashi {

struct ReportFormat;

// Returns "simulate: row 2 of 24, iteration 3 of at least 4, 1200000 messages, 350000/s, at least 40 s left".
// `expected` is the least number of messages that are simulated; 0: unknown.
std::string run_progress_text(const JobProgress& job, std::size_t messages, Seconds passed, double expected);

// Returns "about 40 s or more, …" for a run that takes at least this long; empty: it is short.
std::string long_run_text(Seconds time);

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

} // namespace kakehashi
