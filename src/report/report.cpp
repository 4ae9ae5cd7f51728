#include "report/report.hpp"

#include <fmt/format.h>

namespace kakehashi {

void write(const RunRecord& record, Format format, std::ostream& out) {
  constexpr std::array writers{write_table, write_csv, write_json};
  writers[static_cast<std::size_t>(format)](record, out);
}

double rounded(double value) {
  return std::stod(fmt::format("{:.12g}", value));
}

} // namespace kakehashi
