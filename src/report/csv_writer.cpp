// Writes the sheet of a report as CSV.
#include "report/report.hpp"

#include <ostream>

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

void write_line(const ListedRow& cells, std::ostream& out) {
  for (const auto& cell : cells) {
    out << (&cell == &cells.front() ? "" : ",");
    write_value(cell.text, out);
  }
  out << '\n';
}

} // namespace

void write_csv(const Report& report, std::ostream& out) {
  const auto sheet = report.sheet();
  write_line(ListedRow(sheet.names.begin(), sheet.names.end()), out);
  for (const auto& row : sheet.rows)
    write_line(row, out);
}

} // namespace kakehashi
