// A run's record, and what was recorded of the run → the views of its report.
#pragma once

#include "report/report.hpp"
#include "result/record.hpp"

#include <span>

namespace kakehashi {

// The table as the suites print it, with measured values and errors, piece by piece as rows are finished.
void add_rows(const RunRecord& so_far, ReportParts& parts); // a heading if parts are empty, and what is new of its rows
void add_end(const RunRecord& record, ReportParts& parts);  // all the rest
Sheet sheet_of(const RunRecord& record);
nlohmann::ordered_json tree_of(const RunRecord& record); // with schema_version and provenance

// Where its time went. ranks: the device of each. Of a brief summary only shares and busiest links.
void add_summary(const RunSummary& summary, std::span<const std::string> ranks, ReportParts& parts);
nlohmann::ordered_json to_json(const RunSummary& summary);

// The busiest links, and how many more there are.
Listing listing_of(std::span<const LinkUse> links, std::size_t most = 10);
nlohmann::ordered_json to_json(std::span<const LinkUse> links);

// Who sends how much to whom, as a matrix; nothing if no messages were sent. Many ranks are taken together.
void add_traffic(const Traffic& traffic, ReportParts& parts);
nlohmann::ordered_json to_json(const Traffic& traffic);

// The calls of a recorded application. Brief: one line of the most important.
void add_calls(const CallProfile& profile, bool is_brief, ReportParts& parts);
nlohmann::ordered_json to_json(const CallProfile& profile);
std::string mpi_name(std::string name); // "MPI_Reduce_scatter" of "reduce-scatter"

} // namespace kakehashi
