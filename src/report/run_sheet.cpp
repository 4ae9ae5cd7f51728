// A run's rows as CSV and pages have them. The first columns of CSV name the run, so that files of several runs can be
// joined.
#include "report/column.hpp"
#include "report/findings.hpp"
#include "report/report_parts.hpp"
#include "writer/number_form.hpp"

#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using RowColumns = ColumnsOf<std::size_t>; // columns of the numbers of rows

// All benchmarks have these columns in CSV, which may be empty. Columns that only some have follow.
constexpr std::array<std::string_view, 8> benchmark_columns{"bytes",    "repetitions",  "t_min_us",  "t_max_us",
                                                            "t_avg_us", "mbytes_per_s", "algorithm", "slowest_step"};

void append(RowColumns& columns, RowColumns more) {
  columns.insert(columns.end(), more.begin(), more.end());
}

Datum datum_of(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell))
    return *number;
  const auto* count = std::get_if<std::uint64_t>(&cell);
  return count ? Datum(*count) : Datum(text_of(cell, 0));
}

// "t_min (us)" for "t_min_us".
std::string head_of(const Table& table, std::string name) {
  if (name == "mbytes_per_s" || name == "items_per_s")
    return table.rate_name;
  if (name.ends_with("_us"))
    name.replace(name.size() - 3, 3, " (us)");
  return name;
}

ColumnOf<std::size_t> column_of(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name, &Column::name);
  if (found == table.columns.end())
    return {std::string(name), {}, {}, [](std::size_t) { return Datum(); }};
  const auto at = static_cast<std::size_t>(found - table.columns.begin());
  const bool is_text = !table.rows.empty() && std::holds_alternative<std::string>(table.rows.front()[at]);
  return {found->name,
          {head_of(table, found->name), 0, is_text},
          {.digits = 2,
           .unit = name == "bytes" ? Unit::size : Unit::none,
           .per = name == "mbytes_per_s" ? table.rate_unit.megabyte / 1e6 : 1},
          [&table, at](std::size_t row) { return datum_of(table.rows[row][at]); }};
}

RowColumns spread_columns(const RunRecord& record) {
  RowColumns columns;
  for (const auto& [name, time] :
       {std::pair("median", &Spread::median), {"least", &Spread::least}, {"greatest", &Spread::greatest}})
    columns.push_back({fmt::format("{}_us", name),
                       right(record.repeats ? fmt::format("{} (us)", name) : ""),
                       {2},
                       [&, time = time](std::size_t row) {
                         const auto* all = record.repeats ? &record.repeats->spreads : nullptr;
                         return all && row < all->size() ? Datum((*all)[row].*time) : Datum();
                       }});
  return columns;
}

ColumnOf<std::size_t> measured_column(const RunRecord& record, std::string name, Metric metric) {
  const bool is_there = record.reference && record.reference->metric == metric;
  return {std::move(name),
          right(is_there ? "measured" : ""),
          {2, Unit::none, "{}", metric == Metric::bandwidth ? record.table.rate_unit.megabyte / 1e6 : 1},
          [&record, is_there](std::size_t row) { return is_there ? Datum(record.measured[row].measured) : Datum(); }};
}

RowColumns sheet_columns(const RunRecord& record) {
  const auto& table = record.table;
  RowColumns columns{{"scenario", {}, {}, [&](std::size_t) { return record.scenario; }},
                     {"platform", {}, {}, [&](std::size_t) { return record.platform; }},
                     {"fabric", {}, {}, [&](std::size_t) { return record.fabric; }}};
  const bool is_benchmark = !table.columns.empty() && table.columns.front().name == benchmark_columns.front();
  if (is_benchmark) {
    columns.push_back({"benchmark", {}, {}, [&](std::size_t) { return table.title; }});
    for (const auto name : benchmark_columns)
      columns.push_back(column_of(table, name));
    for (const auto& column : table.columns)
      if (std::ranges::find(benchmark_columns, column.name) == benchmark_columns.end())
        columns.push_back(column_of(table, column.name));
    columns.push_back(measured_column(record, "measured_us", Metric::time));
    columns.push_back(measured_column(record, "measured_mbytes_per_s", Metric::bandwidth));
    columns.push_back({"error", right(record.reference ? "error" : ""), {0, Unit::change}, [&](std::size_t row) {
                         return record.reference ? Datum(record.measured[row].error) : Datum();
                       }});
  } else {
    for (const auto& column : table.columns)
      columns.push_back(column_of(table, column.name));
  }
  if (is_benchmark || (record.repeats && record.repeats->spreads.size() == table.rows.size()))
    append(columns, spread_columns(record));
  if (record.shows_range && record.likely.size() == table.rows.size())
    append(columns, {{"low", right("low"), {2}, [&](std::size_t row) { return range_of(record, row).low; }},
                     {"high", right("high"), {2}, [&](std::size_t row) { return range_of(record, row).high; }}});
  return columns;
}

auto numbers_of(const RunRecord& record) {
  return numbers_to(record.table.rows.size());
}

} // namespace

Sheet sheet_of(const RunRecord& record) {
  return sheet_of(sheet_columns(record), numbers_of(record));
}

} // namespace kakehashi
