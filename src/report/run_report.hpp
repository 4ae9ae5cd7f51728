// The record of a run, and what was recorded of it → the views of its report.
#pragma once

#include "report/report.hpp"
#include "result/record.hpp"

#include <span>

namespace kakehashi {

// Adds the table as the suites print it, with measured values and errors, piece by piece as rows are finished.
void add_rows(const RunRecord& so_far, ReportParts& parts); // adds a heading if there are no parts, and new rows
void add_end(const RunRecord& record, ReportParts& parts);  // adds the rest
Sheet sheet_of(const RunRecord& record);
nlohmann::ordered_json tree_of(const RunRecord& record); // with schema_version and provenance

// Adds how the run spent its time. `ranks` are the devices of the ranks. A brief summary has only shares and the
// busiest links.
void add_summary(const RunSummary& summary, std::span<const std::string> ranks, ReportParts& parts);
nlohmann::ordered_json to_json(const RunSummary& summary);
void add_order(const RunSummary& summary, ReportParts& parts); // adds the critical path in order, if it has long steps

std::string place_of(const PathShare& share, Seconds duration = {}); // ", rank 3"
// Tables of all, for pages.
Listing all_ranks(const RunSummary& summary, std::span<const std::string> devices);
Listing all_shares(const RunSummary& summary);

// Lists the busiest links, and how many more there are.
Listing listing_of(std::span<const LinkUse> links, std::size_t most = 10);
nlohmann::ordered_json to_json(std::span<const LinkUse> links);

// Adds a matrix of who sends how much to whom; nothing if no messages were sent. Many ranks are grouped.
void add_traffic(const Traffic& traffic, ReportParts& parts);
nlohmann::ordered_json to_json(const Traffic& traffic);
Listing all_pairs(const Traffic& traffic); // the busiest first

// Adds the calls of a recorded application. Brief: one line with the most important ones.
void add_calls(const CallProfile& profile, bool is_brief, ReportParts& parts);
nlohmann::ordered_json to_json(const CallProfile& profile);

} // namespace kakehashi
