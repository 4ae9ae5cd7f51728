// A run's record → the views of its report.
#pragma once

#include "report/report.hpp"
#include "result/record.hpp"

#include <ostream>

namespace kakehashi {

// As the suites print, with measured values and errors, piece by piece as rows are finished. No row's form depends on
// another one.
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

Sheet sheet_of(const RunRecord& record);
nlohmann::ordered_json tree_of(const RunRecord& record); // with schema_version and provenance

} // namespace kakehashi
