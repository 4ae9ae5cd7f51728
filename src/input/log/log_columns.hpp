// The header of a table → its columns; a line below it → a row.
#pragma once

#include "model/log.hpp"

namespace kakehashi {

// The kind of a column. `other` is a column that is printed but not kept, such as #defects or Validation.
enum class LogColumn { group, size, repetitions, t, t_min, t_max, t_avg, mbytes, messages, other };

struct ColumnHead {
  LogColumn column;
  std::string name; // as printed
};

struct TableHead {
  std::vector<ColumnHead> columns;
  bool csv = false;

  bool has(LogColumn column) const;
};

// Returns nothing if the line is no header.
std::optional<TableHead> table_head(const std::string& line);

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
