#include "command/shell/terminal.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace kakehashi {
namespace {

constexpr auto interval = std::chrono::milliseconds(200);

std::string pace_text(double per_second) {
  return per_second >= 0.95 ? fmt::format("{:.0f}/s", per_second)
                            : fmt::format("{} each", rough_text(Seconds{1 / per_second}));
}

} // namespace

std::string rough_text(Seconds time) {
  const double seconds = std::max(0.0, time.value);
  return seconds < 9.95     ? fmt::format("{:.1f} s", seconds)
         : seconds < 120    ? fmt::format("{:.0f} s", seconds)
         : seconds < 7200   ? fmt::format("{:.0f} min", seconds / 60)
         : seconds < 360000 ? fmt::format("{:.1f} h", seconds / 3600)
                            : fmt::format("{:.0f} days", seconds / 86400);
}

std::string progress_text(std::string_view what, std::size_t done, std::size_t all, Seconds passed,
                          std::optional<Seconds> budget) {
  auto text = fmt::format("{} {}", what, done);
  if (all > 0)
    text += fmt::format(" of {}", all);
  if (passed.value < 1)
    return text;
  auto left = budget ? std::optional(*budget - passed) : std::nullopt;
  if (done > 0) {
    const double rate = static_cast<double>(done) / passed.value;
    text += ", " + pace_text(rate);
    if (all >= done) {
      const Seconds others{static_cast<double>(all - done) / rate};
      left = left ? std::min(*left, others) : others;
    }
  }
  return text + (left ? fmt::format(", {} left", rough_text(*left)) : fmt::format(", for {}", rough_text(passed)));
}

Progress::Progress(const Streams& streams, std::string what, bool quiet, std::optional<Seconds> budget)
    : out_(streams.raw_err ? *streams.raw_err : streams.err), listener_(streams.progress), what_(std::move(what)),
      shown_(!quiet && !listener_ && isatty(STDERR_FILENO)), budget_(budget) {}

bool Progress::is_due() {
  return shown_ && Clock::now() >= next_;
}

void Progress::show(const std::string& text) {
  if (!shown_)
    return;
  out_ << '\r' << text << "\033[K" << std::flush;
  has_line_ = true;
  next_ = Clock::now() + interval;
}

void Progress::clear() {
  if (has_line_)
    out_ << "\r\033[K" << std::flush;
  has_line_ = false;
}

Seconds Progress::passed() const {
  return {std::chrono::duration<double>(Clock::now() - start_).count()};
}

} // namespace kakehashi
