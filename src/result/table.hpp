// The result of a workload, as one table that every report format prints: columns, rows, and totals; and beside it the
// figures that studies compare, in plain units.
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

using RankPair = std::array<int, 2>; // from one rank to another
using Cell = std::variant<std::uint64_t, double, std::string, RankPair>;

struct Column {
  std::string name;    // in CSV and JSON
  std::string unit;    // "us"; empty: a count, or text
  std::string meaning; // a few words
};

// A number or text that is there once for the whole table.
struct Total {
  Column column;
  Cell value;
};

// How people are shown a column: under which head, how wide, and with how many decimals of a fraction.
struct TextCell {
  std::string head;
  std::size_t column = 0;
  std::size_t width = 0;
  int decimals = 2;
  bool is_left = false;
  std::size_t gap = 1; // before it
  double unit = 1;     // a number is shown in so many of its column's
};
struct TableText {
  std::vector<std::string> notes; // before the heading, known before the first row
  std::vector<TextCell> cells;
  std::vector<std::string> remarks = {}; // behind the rows
};

// The figures that studies compare: of each size, or one for the whole run.
struct Figures {
  std::uint64_t size = 0; // of a message in bytes, or of a work item
  std::uint64_t repetitions = 1;
  Seconds t_min; // over the ranks, of what the workload gives as its time
  Seconds t_max;
  Seconds t_avg;
  double rate = 0;                      // by the table's rate_name; 0: there is none
  Seconds cost;                         // what a sweep adds up: t_max, or the time of one work item
  std::optional<RankPair> slowest_step; // of a ring
};

struct Table {
  std::string title; // what ran: "osu-latency", "replay of traces.txt"
  std::vector<Total> totals;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  TableText text;
  std::string list; // JSON has the last column alone, as a list of this name; empty: it has rows
  // Rows are ranks; where there are many, text shows those that end last, and behind each what its time went into.
  bool shows_last_ranks = false;

  std::string size_name; // of the figures' sizes: "bytes", "work item"; empty: there is one figure without a size
  std::string rate_name; // "MB/s" of 10^6 B, "items/s"; empty: there is none
  std::vector<Figures> figures;
  std::optional<CallProfile> calls; // of a recorded application
};

// The sum of the figures' costs: what two runs of one workload are compared by.
Seconds total_cost(const Table& table);

// The cell of that row in the column of that name, which must be there.
const Cell& cell(const Table& table, std::size_t row, std::string_view column);

// A row for each rank and its device, of when it ends. An end for each device.
Table table_of_ends(std::string title, const std::vector<std::string>& devices, const std::vector<Seconds>& ends);

} // namespace kakehashi
