// Writes one row per observation. Its first columns name the run, so that files of several runs can be joined.
#include "report/number_form.hpp"
#include "report/run_report.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

std::string number(double value) {
  return fmt::format("{:.6f}", value);
}

// All benchmarks have the same columns, which may be empty.
constexpr std::array benchmark_columns{"bytes",    "repetitions",  "t_min_us",  "t_max_us",
                                       "t_avg_us", "mbytes_per_s", "algorithm", "slowest_step"};

bool is_of_benchmark(const RunRecord& record) {
  return !record.table.columns.empty() && record.table.columns.front().name == benchmark_columns.front();
}

void add_cells(const Table& table, std::size_t row, ListedRow& cells) {
  for (const auto& cell : table.rows[row])
    cells.push_back(text_of(cell, 6));
}

void add_benchmark_cells(const RunRecord& record, std::size_t row, ListedRow& cells) {
  cells.push_back(record.table.title);
  const auto& columns = record.table.columns;
  for (const auto* name : benchmark_columns) {
    const auto at = std::ranges::find(columns, name, &Column::name);
    cells.push_back(
        at == columns.end() ? "" : text_of(record.table.rows[row][static_cast<std::size_t>(at - columns.begin())], 6));
  }
  std::array<std::string, 3> measured; // time, bandwidth, error
  if (record.reference) {
    const auto& value = record.measured[row];
    if (value.measured)
      measured[record.reference->metric == Metric::time ? 0 : 1] = fmt::format("{}", *value.measured);
    if (value.error)
      measured[2] = number(*value.error);
  }
  cells.insert(cells.end(), measured.begin(), measured.end());
}

void add_range(const RunRecord& record, std::size_t row, ListedRow& cells) {
  const auto [low, high] = range_of(record, row);
  cells.insert(cells.end(), {number(low), number(high)});
}

void add_spread(const std::optional<Repeats>& repeats, std::size_t row, ListedRow& cells) {
  if (!repeats || row >= repeats->spreads.size())
    return cells.resize(cells.size() + 3, "");
  const auto& [median, least, greatest] = repeats->spreads[row];
  for (const auto time : {median, least, greatest})
    cells.push_back(number(in_microseconds(time)));
}

} // namespace

Sheet sheet_of(const RunRecord& record) {
  const auto& table = record.table;
  const bool is_benchmark = is_of_benchmark(record);
  const bool has_spreads = is_benchmark || (record.repeats && record.repeats->spreads.size() == table.rows.size());
  Sheet sheet{{"scenario", "platform", "fabric"}, {}};
  auto& names = sheet.names;
  if (is_benchmark) {
    names.emplace_back("benchmark");
    names.insert(names.end(), benchmark_columns.begin(), benchmark_columns.end());
    names.insert(names.end(), {"measured_us", "measured_mbytes_per_s", "error"});
  } else {
    for (const auto& column : table.columns)
      names.push_back(column.name);
  }
  if (has_spreads)
    names.insert(names.end(), {"median_us", "least_us", "greatest_us"});
  const bool has_range = record.shows_range && record.likely.size() == table.rows.size();
  if (has_range)
    names.insert(names.end(), {"low", "high"});
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    auto& cells = sheet.rows.emplace_back(ListedRow{record.scenario, record.platform, record.fabric});
    if (is_benchmark)
      add_benchmark_cells(record, row, cells);
    else
      add_cells(table, row, cells);
    if (has_spreads)
      add_spread(record.repeats, row, cells);
    if (has_range)
      add_range(record, row, cells);
  }
  return sheet;
}

} // namespace kakehashi
