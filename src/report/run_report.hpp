// A run's record → the views of its report.
#pragma once

#include "report/report.hpp"
#include "result/record.hpp"

namespace kakehashi {

// The table as the suites print it, with measured values and errors, piece by piece as rows are finished.
void add_rows(const RunRecord& so_far, ReportParts& parts); // a heading if parts are empty, and what is new of its rows
void add_end(const RunRecord& record, ReportParts& parts);  // all the rest

Sheet sheet_of(const RunRecord& record);
nlohmann::ordered_json tree_of(const RunRecord& record); // with schema_version and provenance

} // namespace kakehashi
