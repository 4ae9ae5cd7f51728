// "n of m", with rate and time left, on a terminal while long work goes on; or to who asked for it. Nothing elsewhere.
#pragma once

#include "command/command.hpp"

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string_view>
#include <unistd.h>

namespace kakehashi {

class Progress {
public:
  Progress(const Streams& streams, std::string_view what, bool quiet)
      : out_(streams.err), told_(streams.progress), what_(what), shown_(!quiet && !told_ && isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (shown_)
      out_ << "\r\033[K" << std::flush;
  }
  void operator()(std::size_t done, std::size_t all) const {
    if (told_)
      told_(done, all);
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
  StudyProgress told_;
  std::string_view what_;
  bool shown_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace kakehashi
