// Writes the sheet of a report as CSV.
#include "report/report.hpp"

#include <ostream>
#include <utility>

namespace kakehashi {
namespace {

// Quotes values with commas, quotes or line ends.
void write_value(const std::string& value, std::ostream& out) {
  if (value.find_first_of(",\"\n\r") == std::string::npos) {
    out << value;
    return;
  }
  out << '"';
  for (const char c : value)
    out << (c == '"' ? "\"" : "") << c;
  out << '"';
}

void write_line(const Sheet& sheet, const ListedRow& cells, std::ostream& out) {
  bool is_first = true;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (i >= sheet.heads.size() || !sheet.heads[i].key.empty()) {
      out << (std::exchange(is_first, false) ? "" : ",");
      write_value(cells[i].in_csv ? *cells[i].in_csv : cells[i].text, out);
    }
  out << '\n';
}

} // namespace

void write_csv(const Report& report, std::ostream& out) {
  const auto sheet = report.sheet();
  write_line(sheet, ListedRow(sheet.names.begin(), sheet.names.end()), out);
  for (const auto& row : sheet.rows)
    write_line(sheet, row, out);
}

} // namespace kakehashi
