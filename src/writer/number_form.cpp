#include "writer/number_form.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {

double percent(Seconds part, Seconds whole) {
  return whole.value > 0 ? 100 * (part / whole) : 0;
}

std::string percent_text(Seconds part, Seconds whole) {
  return fmt::format("{:.1f} %", percent(part, whole));
}

std::string percent_text(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string us_text(Seconds time) {
  return fmt::format("{:.3f}", in_microseconds(time));
}

std::string text_of(const Cell& cell, int decimals) {
  if (const auto* number = std::get_if<double>(&cell))
    return fmt::format("{:.{}f}", *number, decimals);
  if (const auto* count = std::get_if<std::uint64_t>(&cell))
    return std::to_string(*count);
  if (const auto* pair = std::get_if<RankPair>(&cell))
    return fmt::format("{} to {}", (*pair)[0], (*pair)[1]);
  return std::get<std::string>(cell);
}

double rounded(double value) {
  return std::stod(fmt::format("{:.12g}", value));
}

std::string signed_percent(double part) {
  return fmt::format("{:+.1f} %", std::round(1000 * part) == 0 ? 0 : 100 * part);
}

} // namespace kakehashi
