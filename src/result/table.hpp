// The result of a workload: one table of columns, rows and totals that every report format prints, and the figures that
// studies compare, in plain units.
#pragma once

#include "base/units.hpp"
#include "result/call_profile.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

using RankPair = std::array<int, 2>; // sender and receiver
using Cell = std::variant<std::uint64_t, double, std::string, RankPair>;

struct Column {
  std::string name;    // its name in CSV and JSON
  std::string unit;    // "us"; empty: a count, or text
  std::string meaning; // a short explanation
};

// A number or text for the whole table.
struct Total {
  Column column;
  Cell value;
};

// How text reports show a column: its head, its width, and the number of decimals.
struct TextCell {
  std::string head;
  std::size_t column = 0;
  std::size_t width = 0;
  int decimals = 2;
  bool is_left = false;
  std::size_t gap = 1; // blanks before it
  double unit = 1;     // the text shows the value divided by this
};
struct TableText {
  std::vector<std::string> notes; // shown before the heading; known before the first row
  std::vector<TextCell> cells;
  std::vector<std::string> remarks = {}; // shown after the rows
};

// The figures of one size, or of the whole run, that studies compare.
struct Figures {
  std::uint64_t size = 0; // bytes of a message, or size of a work item
  std::uint64_t repetitions = 1;
  Seconds t_min; // over the ranks, of the time that the workload gives
  Seconds t_max;
  Seconds t_avg;
  double rate = 0;                      // MB/s of 10^6 B, or items/s; 0: there is none
  Seconds cost;                         // the time that a sweep adds up: t_max, or the time of one work item
  std::optional<RankPair> slowest_step; // slowest step of a ring
};

struct Table {
  std::string title; // what ran: "osu-latency", "replay of traces.txt"
  std::vector<Total> totals;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  TableText text;
  std::string list; // JSON has only the last column, as a list with this name; empty: it has rows
  // Rows are ranks. If there are many, text shows those that end last, each with what its time went into.
  bool shows_last_ranks = false;

  // The meaning of the figures' sizes: "bytes", "work item"; empty: there is one figure without a size.
  std::string size_name;
  std::string rate_name;   // what people read its rates in: "MB/s", "MiB/s", "items/s"; empty: there is none
  RateUnit rate_unit = {}; // of MB/s
  std::vector<Figures> figures;
  std::optional<CallProfile> calls; // calls of a recorded application
};

// The sum of the figures' costs, by which two runs of one workload are compared.
Seconds total_cost(const Table& table);

// The cell of a row in the column with that name, which must exist.
const Cell& cell(const Table& table, std::size_t row, std::string_view column);

// A table with a row for each rank: its device and when it ends. There is one end for each device.
Table table_of_ends(std::string title, const std::vector<std::string>& devices, const std::vector<Seconds>& ends);

} // namespace kakehashi
