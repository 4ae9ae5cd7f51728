#include "result/summary.hpp"

#include <fmt/format.h>

namespace kakehashi {

std::string to_text(const Reason& reason) {
  return fmt::format("{} ({:.0f} % of the critical path)", reason.what, 100 * reason.share);
}

} // namespace kakehashi
