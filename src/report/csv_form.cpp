#include "report/csv_form.hpp"

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

} // namespace kakehashi
