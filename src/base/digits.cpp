#include "base/digits.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {

std::string four_digits(double value) {
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

} // namespace kakehashi
