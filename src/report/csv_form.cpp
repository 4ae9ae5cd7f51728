#include "report/csv_form.hpp"

#include "report/report.hpp"

namespace kakehashi {
namespace {

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

} // namespace

void write_csv_line(const std::vector<std::string>& values, std::ostream& out) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    out << (i > 0 ? "," : "");
    write_value(values[i], out);
  }
  out << '\n';
}

void write_csv(const Report& report, std::ostream& out) {
  const auto sheet = report.sheet();
  write_csv_line(sheet.names, out);
  for (const auto& row : sheet.rows) {
    std::vector<std::string> values;
    for (const auto& cell : row)
      values.push_back(cell.text);
    write_csv_line(values, out);
  }
}

} // namespace kakehashi
