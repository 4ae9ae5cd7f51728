// A run's record → text on a stream, in each of the formats.
#pragma once

#include "base/error.hpp"
#include "result/record.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const RunRecord& record, std::ostream& out); // as the suites print, with measured values and errors
// The same piece by piece, as rows are finished. No row's form depends on another one.
class TableStream {
public:
  TableStream(std::ostream& out, bool shows_range) : out_(out), shows_range_(shows_range) {}
  void write(const RunRecord& so_far); // what is new of its rows
  void end(const RunRecord& record);   // all the rest

private:
  std::ostream& out_;
  bool shows_range_;
  bool has_heading_ = false;
  std::size_t written_ = 0; // rows
};
void write_csv(const RunRecord& record, std::ostream& out);  // a header and a line a row
void write_json(const RunRecord& record, std::ostream& out); // with schema_version and provenance

} // namespace kakehashi
