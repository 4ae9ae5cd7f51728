#include "command/row_display.hpp"

#include "base/interrupt.hpp"
#include "report/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

std::string run_progress_text(const JobProgress& job, std::size_t messages, Seconds passed, Seconds on_row,
                              Seconds before) {
  std::string text = "simulate:";
  if (job.rows > 0)
    text += fmt::format(" row {} of {},", std::min(job.rows_done + 1, job.rows), job.rows);
  if (job.done > 0)
    text += fmt::format(" iteration {},", job.done + 1);
  text += fmt::format(" {} messages", messages);
  if (passed.value < 1)
    return text;
  text += fmt::format(", {:.0f}/s", static_cast<double>(messages) / passed.value);
  // Later rows are seldom quicker, and iterations may be more than the least that a row takes.
  std::optional<Seconds> row = job.rows_done > 0 ? std::optional(before) : std::nullopt;
  if (job.done > 0 && job.least > 0)
    row = (static_cast<double>(std::max(job.least, job.done + 1)) / job.done) * on_row;
  if (!row)
    return text + fmt::format(", for {}", rough_text(passed));
  const auto others = static_cast<double>(job.rows - std::min(job.rows, job.rows_done + 1));
  const Seconds left = std::max(Seconds{}, *row - on_row) + others * *row;
  return text + fmt::format(", at least {} left", rough_text(left));
}

RowDisplay::RowDisplay(const ReportFormat& format, bool is_shown, bool quiet, bool shows_range, const Streams& streams)
    : format_(format), is_shown_(is_shown), streams_(streams), progress_(streams, "simulate", quiet),
      table_(streams.out, shows_range), shows_range_(shows_range), streams_rows_(is_shown && format.name == "table") {}

Result<RunRecord> RowDisplay::watch(const std::function<Result<RunRecord>(const RowWatch&)>& run) {
  const InterruptWatch interrupts;
  const RowWatch watch{[this](const RunRecord& so_far) { finished(so_far); },
                       [this](const JobProgress& job, std::size_t messages) { return goes_on(job, messages); }};
  auto record = run(watch);
  progress_.clear();
  if (!record && exit_code(record.errors()) == interrupt_exit)
    return stopped();
  return record;
}

void RowDisplay::end(const RunRecord& record) {
  if (streams_rows_)
    table_.end(record);
  else
    format_.run(record, streams_.out);
  streams_.out.flush();
}

void RowDisplay::finished(const RunRecord& so_far) {
  const auto now = progress_.passed();
  row_before_ = now - row_began_;
  row_began_ = now;
  if (!streams_rows_) {
    last_ = so_far;
    last_.shows_range = shows_range_;
    return;
  }
  progress_.clear();
  table_.write(so_far);
  streams_.out.flush();
}

bool RowDisplay::goes_on(const JobProgress& job, std::size_t messages) {
  job_ = job;
  if (progress_.is_due()) {
    const auto passed = progress_.passed();
    progress_.show(run_progress_text(job, messages, passed, passed - row_began_, row_before_));
  }
  return !is_interrupted();
}

Error RowDisplay::stopped() {
  if (!streams_rows_ && is_shown_ && !last_.table.rows.empty())
    format_.run(last_, streams_.out);
  streams_.out.flush();
  return interrupted(job_.rows > 0 ? fmt::format("interrupted; {} of {} rows are finished", job_.rows_done, job_.rows)
                                   : "interrupted");
}

} // namespace kakehashi
