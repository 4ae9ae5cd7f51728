#include "report/report.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {

double rounded(double value) {
  return std::stod(fmt::format("{:.12g}", value));
}

std::string signed_percent(double part) {
  return fmt::format("{:+.1f} %", std::round(1000 * part) == 0 ? 0 : 100 * part);
}

} // namespace kakehashi
