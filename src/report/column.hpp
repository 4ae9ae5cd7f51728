// The columns of a finding: each is stated once, and text, Markdown, CSV, JSON and pages show it.
#pragma once

#include "base/units.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace kakehashi {

// A value as programs read it: us, MB/s, bytes, or a share. Nothing: the row has none.
struct Datum {
  Datum() = default;
  Datum(bool yes) : is(yes) {}
  Datum(double number) : is(number) {}
  template <std::integral Count> Datum(Count count) : is(static_cast<std::uint64_t>(count)) {}
  Datum(std::string text) : is(std::move(text)) {}
  Datum(std::string_view text) : is(std::string(text)) {}
  Datum(const char* text) : is(std::string(text)) {}
  Datum(Seconds time) : is(in_microseconds(time)) {}
  Datum(BytesPerSecond rate) : is(rate.value / 1e6) {}
  Datum(Bytes size) : is(size.count) {}
  template <class Some> Datum(const std::optional<Some>& value) {
    if (value)
      *this = Datum(*value);
  }

  // People read this text instead.
  Datum shown_as(std::string text) const {
    auto value = *this;
    value.text = std::move(text);
    return value;
  }

  std::variant<std::monostate, bool, std::uint64_t, double, std::string> is;
  std::optional<std::string> text{};
};

// Nothing, if the text is empty.
inline Datum some(const std::string& text) {
  return text.empty() ? Datum() : Datum(text);
}

// The same in all rows.
inline auto fixed(std::string text) {
  return [text = std::move(text)](const auto&) { return Datum(text); };
}

// How people read a value.
enum class Unit {
  none,
  share,     // "1.5 %"
  change,    // "+1.5 %"
  size,      // "4 KiB"
  megabytes, // units of bytes
  rounded    // to four digits
};

struct Form {
  int digits = 0; // after the point
  Unit unit = Unit::none;
  const char* in_csv = "{:.6f}"; // a number with a fraction
  double per = 1;                // people read it divided by this
};

// Of a rate, which JSON and CSV have in MB/s of 10^6 B.
inline Form form_of_rate(RateUnit unit) {
  return {.digits = 1, .per = unit.megabyte / 1e6};
}

template <class Row> struct ColumnOf {
  std::string key; // its name in JSON, CSV and the sources of pages; empty: only people read it
  Head head;       // what people read above it; empty: only programs read it
  Form form;
  std::function<Datum(const Row&)> value;

  const std::string& name() const { return key.empty() ? head.text : key; }
};
template <class Row> using ColumnsOf = std::vector<ColumnOf<Row>>;

ListedCell cell_of(const Datum& datum, const Form& form);
void add_value(const std::string& key, const Datum& datum, nlohmann::ordered_json& json); // nothing if there is none

// Returns the columns with these names that are there, in this order.
template <class Row>
ColumnsOf<Row> picked(const ColumnsOf<Row>& columns, std::initializer_list<std::string_view> names) {
  ColumnsOf<Row> found;
  for (const auto name : names)
    std::ranges::copy_if(columns, std::back_inserter(found), [&](const auto& column) { return column.name() == name; });
  return found;
}

template <class Row> ListedRow cells_of(const ColumnsOf<Row>& columns, const Row& row) {
  ListedRow cells;
  for (const auto& column : columns)
    if (!column.head.text.empty())
      cells.push_back(cell_of(column.value(row), column.form));
  return cells;
}

template <class Row> Listing heads_of(std::string title, const ColumnsOf<Row>& columns) {
  Listing listing{std::move(title), {}, {}};
  for (const auto& [key, head, form, value] : columns)
    if (!head.text.empty())
      listing.heads.push_back({head.text, head.width, head.is_left, head.gap, key});
  return listing;
}

// What people read.
template <class Row> Listing listing_of(std::string title, const ColumnsOf<Row>& columns, const auto& rows) {
  auto listing = heads_of(std::move(title), columns);
  for (const Row& row : rows)
    listing.rows.push_back(cells_of(columns, row));
  return listing;
}

// The numbers of so many rows.
inline std::vector<std::size_t> numbers_to(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

template <class Row> Sheet sheet_of(const ColumnsOf<Row>& columns, const auto& rows) {
  Sheet sheet;
  for (const auto& [key, head, form, value] : columns) {
    sheet.names.push_back(key);
    sheet.heads.push_back({head.text, head.width, head.is_left, head.gap, key});
  }
  for (const Row& row : rows)
    for (auto& cells = sheet.rows.emplace_back(); const auto& column : columns)
      cells.push_back(cell_of(column.value(row), column.form));
  return sheet;
}

template <class Row> nlohmann::ordered_json tree_of(const ColumnsOf<Row>& columns, const Row& row) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& column : columns)
    if (!column.key.empty())
      add_value(column.key, column.value(row), json);
  return json;
}

template <class Row> nlohmann::ordered_json list_of(const ColumnsOf<Row>& columns, const auto& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const Row& row : rows)
    list.push_back(tree_of(columns, row));
  return list;
}

} // namespace kakehashi
