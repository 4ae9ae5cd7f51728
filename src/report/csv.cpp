#include "report/report.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

namespace kakehashi {

void write_csv(const RunRecord& record, std::ostream& out) {
  const auto& table = record.table;
  std::vector<std::string> names;
  for (const auto& column : table.columns)
    names.push_back(column.name);
  const bool has_spreads = record.repeats && record.repeats->spreads.size() == table.rows.size();
  if (record.reference) {
    names.push_back(record.reference->metric == Metric::time ? "measured_us" : "measured_mbytes_per_s");
    names.push_back("error");
  }
  if (has_spreads)
    names.insert(names.end(), {"median_us", "least_us", "greatest_us"});
  fmt::print(out, "{}\n", fmt::join(names, ","));
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<std::string> cells;
    for (const auto& cell : table.rows[row])
      cells.push_back(text_of(cell, 6));
    if (record.reference) {
      const auto& [size, measured, error] = record.measured[row];
      cells.push_back(measured ? fmt::format("{}", *measured) : "");
      cells.push_back(error ? fmt::format("{:.6f}", *error) : "");
    }
    if (has_spreads)
      for (const auto time : {record.repeats->spreads[row].median, record.repeats->spreads[row].least,
                              record.repeats->spreads[row].greatest})
        cells.push_back(fmt::format("{:.6f}", in_microseconds(time)));
    fmt::print(out, "{}\n", fmt::join(cells, ","));
  }
}

} // namespace kakehashi
