#include "report/report.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {

void write(const RunRecord& record, Format format, std::ostream& out) {
  constexpr std::array writers{write_table, write_csv, write_json};
  writers[static_cast<std::size_t>(format)](record, out);
}

double rounded(double value) {
  return std::stod(fmt::format("{:.12g}", value));
}

std::string signed_percent(double part) {
  return fmt::format("{:+.1f} %", std::round(1000 * part) == 0 ? 0 : 100 * part);
}

} // namespace kakehashi
