// A simulation that goes on → its rows on standard output as they are finished, and how far it is on a terminal.
#pragma once

#include "command/command.hpp"
#include "command/shell/progress.hpp"
#include "report/run_report.hpp"
#include "study/run/run.hpp"

#include <functional>

namespace kakehashi {

struct ReportFormat;

// "simulate: row 2 of 24, iteration 3 of at least 4, 1200000 messages, 350000/s, at least 40 s left". expected:
// messages that are simulated at least; 0: nobody knows.
std::string run_progress_text(const JobProgress& job, std::size_t messages, Seconds passed, double expected);

// "about 40 s or more, …" before a run that takes at least so long; empty: it is short.
std::string long_run_text(Seconds time);

class RowDisplay {
public:
  // is_shown: on standard output; else what comes of it is for a file.
  RowDisplay(const ReportFormat& format, bool is_shown, bool quiet, bool shows_range, const Streams& streams);

  // Runs it so that it is shown. An interrupt ends it: then the rows that are finished have been written, unless they
  // are to go into a file.
  Result<RunRecord> watch(const std::function<Result<RunRecord>(const RowWatch&)>& run);
  // The rest of the record.
  void end(const RunRecord& record);

private:
  void begins(Seconds time, double messages);
  void finished(const RunRecord& so_far);
  bool goes_on(const JobProgress& job, std::size_t messages);
  Error stopped();

  const ReportFormat& format_; // whose parts are written as they come, if it has a writer of parts
  bool is_shown_;
  const Streams& streams_;
  Progress progress_;
  ReportParts parts_; // written so far
  PartsOut out_;
  bool shows_range_;
  RunRecord last_;
  JobProgress job_;
  double expected_ = 0; // messages
  bool quiet_;
};

} // namespace kakehashi
