#include "command/command_parts.hpp"

#include "base/interrupt.hpp"
#include "base/memory.hpp"
#include "command/shared_options.hpp"
#include "report/format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <string>

namespace kakehashi {

std::string run_progress_text(const JobProgress& job, std::size_t messages, Seconds passed, double expected) {
  std::string text = "simulate:";
  if (job.rows > 0)
    text += fmt::format(" row {} of {},", std::min(job.rows_done + 1, job.rows), job.rows);
  if (job.done > 0)
    text += fmt::format(" iteration {}{},", job.done + 1,
                        job.done < job.least ? fmt::format(" of at least {}", job.least) : "");
  text += fmt::format(" {} messages", messages);
  if (passed.value < 1)
    return text;
  text += fmt::format(", {:.0f}/s", static_cast<double>(messages) / passed.value);
  const double left = expected - static_cast<double>(messages); // there may be more iterations than the least number
  if (left <= 0 || messages == 0)
    return text + fmt::format(", for {}", rough_text(passed));
  return text + fmt::format(", at least {} left", rough_text((left / static_cast<double>(messages)) * passed));
}

std::string long_run_text(Seconds time) {
  constexpr Seconds noticeable{10};
  return time < noticeable
             ? ""
             : fmt::format("about {} or more; fewer --sizes, ranks or --set workload.repetitions=1 take less",
                           rough_text(time));
}

RowDisplay::RowDisplay(const ReportFormat& format, bool is_shown, bool quiet, bool shows_range, const Streams& streams)
    : format_(format), is_shown_(is_shown), streams_(streams), progress_(streams, "simulate", quiet),
      out_(parts_out(streams)), shows_range_(shows_range), quiet_(quiet) {}

Result<RunRecord> RowDisplay::watch(const std::function<Result<RunRecord>(const RowWatch&)>& run) {
  const InterruptWatch interrupts;
  const RowWatch watch{[this](Seconds time, double messages) { begins(time, messages); },
                       [this](const RunRecord& so_far) { finished(so_far); },
                       [this](const JobProgress& job, std::size_t messages) { return goes_on(job, messages); }};
  auto record = run(watch);
  progress_.clear();
  if (!record && exit_code(record.errors()) == interrupt_exit)
    return stopped();
  return record;
}

void RowDisplay::end(const RunRecord& record) {
  if (format_.write_parts) {
    add_end(record, parts_);
    format_.write_parts(parts_, out_);
  } else {
    format_.write(report_of(record), streams_.out);
  }
  out_.out.flush();
}

void RowDisplay::begins(Seconds time, double messages) {
  expected_ = messages;
  if (const auto text = long_run_text(time); !text.empty() && !quiet_)
    streams_.err << "note: this takes " << text << std::endl;
}

void RowDisplay::finished(const RunRecord& so_far) {
  last_ = so_far;
  last_.shows_range = shows_range_;
  if (!is_shown_ || !format_.write_parts)
    return;
  progress_.clear();
  add_rows(last_, parts_);
  format_.write_parts(parts_, out_);
  out_.out.flush();
}

bool RowDisplay::goes_on(const JobProgress& job, std::size_t messages) {
  job_ = job;
  if (progress_.is_due())
    progress_.show(run_progress_text(job, messages, progress_.passed(), expected_));
  return !is_interrupted();
}

Error RowDisplay::stopped() {
  if (!format_.write_parts && is_shown_ && !last_.table.rows.empty())
    format_.write(report_of(last_), streams_.out);
  streams_.out.flush();
  return interrupted(job_.rows > 0 ? fmt::format("interrupted; {} of {} rows are finished", job_.rows_done, job_.rows)
                                   : "interrupted");
}

void write_stats(const RunRecord& record, const Stopwatch& watch, std::ostream& out) {
  const auto& counts = record.counts;
  const auto line = [&](std::string_view name, const auto& value) { fmt::print(out, "{:<16} {:>14}\n", name, value); };
  line("messages", record.messages);
  line("events", counts.events);
  if (counts.solves)
    line("solves", *counts.solves);
  line("routes", counts.routes);
  line("connections", counts.connections);
  if (const auto peak = peak_mebibytes())
    line("peak memory", fmt::format("{:.1f} MiB", *peak));
  for (const auto& [phase, time] : watch.laps())
    line(phase, fmt::format("{:.3f} ms", 1e3 * time.count()));
}

} // namespace kakehashi
