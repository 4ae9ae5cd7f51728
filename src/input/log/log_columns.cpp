#include "input/log/log_parts.hpp"

#include "base/error.hpp"
#include "base/number.hpp"
#include "input/json/json_document.hpp"
#include "model/curve.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

struct Caption {
  std::string_view text; // in lower case, without white space and '#'
  LogColumn column;
};

constexpr Caption captions[] = {
    // IMB
    {"group", LogColumn::group},
    {"bytes", LogColumn::size},
    {"repetitions", LogColumn::repetitions},
    {"rep.", LogColumn::repetitions},
    {"t[usec]", LogColumn::t},
    {"t_min[usec]", LogColumn::t_min},
    {"t_max[usec]", LogColumn::t_max},
    {"t_avg[usec]", LogColumn::t_avg},
    {"t_pure[usec]", LogColumn::t},
    {"t_ovrl[usec]", LogColumn::other},
    {"t_cpu[usec]", LogColumn::other},
    {"overlap[%]", LogColumn::other},
    {"mbytes/sec", LogColumn::mbytes},
    {"msg/sec", LogColumn::messages},
    {"defects", LogColumn::other},
    // OSU
    {"size", LogColumn::size},
    {"iterations", LogColumn::repetitions},
    {"latency(us)", LogColumn::t},
    {"avglatency(us)", LogColumn::t_avg},
    {"minlatency(us)", LogColumn::t_min},
    {"maxlatency(us)", LogColumn::t_max},
    {"purecomm.(us)", LogColumn::t},
    {"bandwidth(mb/s)", LogColumn::mbytes},
    {"bi-bandwidth(mb/s)", LogColumn::mbytes},
    {"mb/s", LogColumn::mbytes},
    {"messages/s", LogColumn::messages},
    {"overall(us)", LogColumn::other},
    {"compute(us)", LogColumn::other},
    {"overlap(%)", LogColumn::other},
    {"validation", LogColumn::other},
    // CSV
    {"latency_us", LogColumn::t},
    {"t_us", LogColumn::t},
    {"t_min_us", LogColumn::t_min},
    {"t_max_us", LogColumn::t_max},
    {"t_avg_us", LogColumn::t_avg},
    {"mbytes_per_s", LogColumn::mbytes},
    {"messages_per_s", LogColumn::messages},
};

// IMB's words for a size that it could not run (IMB_output.c).
constexpr std::string_view failures[] = {"out-of-mem", "int-overflow", "time-out"};

using Words = std::vector<std::string_view>;

std::optional<LogColumn> column_called(std::string_view caption) {
  std::string text = in_lower_case(caption);
  std::erase_if(text, [](char c) { return c == '#' || c == ' '; });
  for (const auto& row : captions)
    if (row.text == text)
      return row.column;
  return std::nullopt;
}

std::string joined(const Words& words, std::size_t first, std::size_t count) {
  return fmt::format("{}", fmt::join(words.begin() + first, words.begin() + first + count, " "));
}

// Returns the number of words of the known caption that starts at this word; 0 if none does.
std::size_t known_words(const Words& words, std::size_t first) {
  constexpr std::size_t most = 3; // "Avg Latency (us)"
  for (std::size_t count = std::min(most, words.size() - first); count > 0; --count)
    if (column_called(joined(words, first, count)))
      return count;
  return 0;
}

// An unknown caption has one word, or several up to a unit: "P50 Tail Lat(us)".
std::size_t unknown_words(const Words& words, std::size_t first) {
  for (std::size_t next = first; next < words.size() && !known_words(words, next); ++next)
    if (words[next].ends_with(')'))
      return next - first + 1;
  return 1;
}

std::vector<ColumnHead> heads_of(const Words& words) {
  constexpr std::size_t most_words = 32; // OSU's longest header has 24
  std::vector<ColumnHead> heads;
  if (words.size() > most_words)
    return heads;
  for (std::size_t first = words.front() == "#" ? 1 : 0; first < words.size();) {
    const auto known = known_words(words, first);
    const auto count = known ? known : unknown_words(words, first);
    const auto name = joined(words, first, count);
    heads.push_back({column_called(name).value_or(LogColumn::other), name});
    first += count;
  }
  return heads;
}

bool is_measured(const ColumnHead& head) {
  return head.column >= LogColumn::t && head.column <= LogColumn::messages;
}

std::optional<double>* value_of(LogRow& row, LogColumn column) {
  switch (column) {
  case LogColumn::t: return &row.t_us;
  case LogColumn::t_min: return &row.t_min_us;
  case LogColumn::t_max: return &row.t_max_us;
  case LogColumn::t_avg: return &row.t_avg_us;
  case LogColumn::mbytes: return &row.mbytes_per_s;
  case LogColumn::messages: return &row.messages_per_s;
  default: return nullptr;
  }
}

// Puts a cell into its place of the row. Returns its fault, or nothing.
std::string take_cell(LogRow& row, const ColumnHead& head, std::string_view cell) {
  const auto fault = [&](std::string_view expected) {
    return mismatch(in_quotes(cell), fmt::format("{} in the column {}", expected, in_quotes(head.name)));
  };
  if (head.column == LogColumn::other)
    return "";
  if (auto* value = value_of(row, head.column)) {
    *value = number_in<double>(cell);
    if (!*value || !std::isfinite(**value) || **value < 0)
      return fault("a measured value");
    return is_measurable(**value) ? "" : fault("0, or between 1e-9 and 1e12,");
  }
  const auto count = number_in<std::uint64_t>(cell);
  if (!count)
    return fault("a whole number");
  if (head.column == LogColumn::size)
    row.size = Bytes{*count};
  if (row.size > largest_size)
    return fault(bytes_range);
  if (head.column != LogColumn::size)
    (head.column == LogColumn::group ? row.group : row.repetitions) = count;
  return "";
}

bool has_failed(const Words& cells) {
  for (std::size_t i = 1; i < std::min<std::size_t>(cells.size(), 3); ++i)
    for (const auto failure : failures)
      if (cells[i].starts_with(failure))
        return true;
  return false;
}

// Our own tables leave the cells below "measured" and "error" empty at sizes that the reference lacks.
std::size_t columns_without_reference(const TableHead& head) {
  const auto count = head.columns.size();
  return count > 2 && head.columns[count - 2].name == "measured" && head.columns[count - 1].name == "error" ? count - 2
                                                                                                            : count;
}

// Guesses from the share of numbers whether the cells below a header form a row.
LineKind guess_kind(const TableHead& head, const Words& cells) {
  const auto numbers = std::count_if(cells.begin(), cells.end(), [](auto cell) { return number_in<double>(cell); });
  const bool mostly_numbers = static_cast<std::size_t>(2 * numbers) >= cells.size();
  const bool starts_with_number = is_measured(head.columns.front())
                                      ? number_in<double>(cells.front()).has_value()
                                      : number_in<std::uint64_t>(cells.front()).has_value();
  if (starts_with_number && has_failed(cells))
    return LineKind::failed;
  if (starts_with_number && mostly_numbers)
    return LineKind::row;
  if (starts_with_number || (mostly_numbers && cells.size() == head.columns.size()))
    return LineKind::unsure;
  return head.csv ? LineKind::unsure : LineKind::text;
}

} // namespace

bool TableHead::has(LogColumn column) const {
  return std::any_of(columns.begin(), columns.end(), [&](const auto& head) { return head.column == column; });
}

std::optional<TableHead> table_head(const std::string& line) {
  TableHead head;
  if (line.starts_with("bytes,")) {
    head.csv = true;
    for (const auto cell : cells_of(line))
      head.columns.push_back({column_called(cell).value_or(LogColumn::other), std::string(cell)});
  } else if (auto found = line.starts_with('#') ? gpu_table_head(words_in(line)) : std::nullopt) {
    return found;
  } else if (line.starts_with('#') || line.starts_with("Group "))
    head.columns = heads_of(words_in(line));
  if (std::none_of(head.columns.begin(), head.columns.end(), is_measured))
    return std::nullopt;
  const auto first = head.columns.front().column;
  if (first == LogColumn::group || first == LogColumn::size || first == LogColumn::repetitions)
    return head;
  const auto is_known = [](const auto& column) { return column_called(column.name).has_value(); };
  if (std::all_of(head.columns.begin(), head.columns.end(), is_known)) // OSU's barriers print only times
    return head;
  return std::nullopt;
}

LineReading read_line(const TableHead& head, const std::string& line) {
  LineReading reading;
  if (head.is_of_gpus && line.find(" NCCL ") != std::string::npos)
    return reading; // the library's own line, which may cut a row
  auto cells = head.csv ? cells_of(line) : words_in(line);
  if (!head.csv)
    std::erase(cells, "%"); // from our own "+1.5 %"
  if (cells.empty())
    return reading;
  reading.kind = guess_kind(head, cells);
  if (reading.kind == LineKind::text || reading.kind == LineKind::failed)
    return reading;
  if (cells.size() != head.columns.size() && cells.size() != columns_without_reference(head))
    reading.fault = mismatch(counted(cells.size(), "column"), fmt::format("{} as in the header", head.columns.size()));
  for (std::size_t i = 0; i < cells.size() && reading.fault.empty(); ++i)
    reading.fault = take_cell(reading.row, head.columns[i], cells[i]);
  if (reading.fault.empty())
    reading.kind = LineKind::row;
  else if (reading.kind == LineKind::row)
    reading.kind = LineKind::broken;
  return reading;
}

} // namespace kakehashi
