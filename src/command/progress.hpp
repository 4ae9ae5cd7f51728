// "n of m" on a terminal while long work goes on; nothing elsewhere.
#pragma once

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
    if (shown_)
      out_ << '\r' << what_ << ' ' << done << " of " << all << std::flush;
  }

private:
  std::ostream& out_;
  std::string_view what_;
  bool shown_;
};

} // namespace kakehashi
