// What the reader of logs is made of: lines, the headings above tables, and the heads and rows of tables.
#pragma once

#include "base/text.hpp"
#include "model/log.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// A line of a job log → the benchmark's text, without terminal colours, line ends and the launcher's rank.

// Turns control characters into spaces and removes white space around the text. Only the first 1000 bytes count; no
// line of a table is longer.
std::string plain_line(std::string_view line);

// `0: text`, `[0] text`, `[1,0]<stdout>:text` → text. Other lines stay as they are.
std::string_view without_rank(std::string_view line);

// The cells between commas: "a,,b" has three.
std::vector<std::string_view> cells_of(std::string_view line);

// Lines above a table → the suite, benchmark and version that ran, and the number of processes.

struct LogHeading {
  Suite suite = Suite::none;
  std::string benchmark;
  std::string printed_name;
  std::string version;
  std::optional<std::uint64_t> processes;
  std::optional<std::uint64_t> window;
  std::optional<std::uint64_t> groups;
  std::optional<std::uint64_t> waiting;
  bool is_of_gpus = false; // nccl-tests or rccl-tests
};

// Returns the heading with the information of a line added; nothing if the line has none. A line with information ends
// the table above it.
std::optional<LogHeading> heading_after(const LogHeading& heading, std::string_view line);

// Likewise for a line of nccl-tests, rccl-tests, or the library's own about its version.
std::optional<LogHeading> gpu_heading_after(const LogHeading& heading, std::string_view line);

// The part of an OSU title between "OSU" and "Test" → osu-latency, osu-iallreduce, osu-put_bw, …
std::string osu_name(std::string_view title);

// The header of a table → its columns; a line below it → a row.

// The kind of a column. `other` is a column that is printed but not kept, such as #defects or Validation.
enum class LogColumn { group, size, repetitions, t, t_min, t_max, t_avg, mbytes, messages, other };

struct ColumnHead {
  LogColumn column;
  std::string name; // as printed
};

struct TableHead {
  std::vector<ColumnHead> columns;
  bool csv = false;
  bool is_of_gpus = false; // nccl-tests, rccl-tests, or our own such table

  bool has(LogColumn column) const;
};

// Returns nothing if the line is no header.
std::optional<TableHead> table_head(const std::string& line);

// Returns nothing if the words are not those of nccl-tests' header.
std::optional<TableHead> gpu_table_head(const std::vector<std::string_view>& words);

// What nccl-tests' columns show of its benchmark.
struct GpuTableFacts {
  std::string benchmark; // empty: it could be several
  std::optional<std::uint64_t> processes;
};
// `line` is the last row; `processes` are known from the heading.
GpuTableFacts gpu_table_facts(const TableHead& head, const std::string& line, std::optional<std::uint64_t> processes);

enum class LineKind {
  text,   // no part of the table
  row,    // a size with its values
  failed, // the benchmark skipped this size
  unsure, // a broken row if more rows follow, otherwise text
  broken,
};

struct LineReading {
  LineKind kind = LineKind::text;
  LogRow row;
  std::string fault; // the fault of an unsure or a broken line
};

LineReading read_line(const TableHead& head, const std::string& line);

} // namespace kakehashi
