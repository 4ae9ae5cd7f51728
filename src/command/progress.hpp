// "n of m", with rate and time left, on a terminal while long work goes on; nothing elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string_view>
#include <unistd.h>

namespace kakehashi {

class Progress {
public:
  Progress(std::ostream& out, std::string_view what, bool quiet)
      : out_(out), what_(what), shown_(!quiet && isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (shown_)
      out_ << "\r\033[K" << std::flush;
  }
  void operator()(std::size_t done, std::size_t all) const {
    if (!shown_)
      return;
    out_ << '\r' << what_ << ' ' << done << " of " << all;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    if (passed.count() > 1 && done > 0) {
      const double rate = static_cast<double>(done) / passed.count();
      out_ << ", " << static_cast<long>(rate + 0.5) << "/s, "
           << static_cast<long>(static_cast<double>(all - done) / rate) << " s left";
    }
    out_ << "\033[K" << std::flush;
  }

private:
  std::ostream& out_;
  std::string_view what_;
  bool shown_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace kakehashi
