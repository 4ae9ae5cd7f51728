// What reports have in common with pages and commands: parts of findings → parts of a report.
#pragma once

#include "base/error.hpp"
#include "model/decision.hpp"
#include "report/report.hpp"
#include "result/calibration.hpp"
#include "result/record.hpp"
#include "result/sweep_record.hpp"
#include "result/way_choice.hpp"

#include <span>
#include <string>

namespace kakehashi {

// Findings of `check` in files → parts of a report: the ways from which routes were chosen, and the effect of an MPI
// library's rules.

// Explains why the first way is the route; empty if there was no choice.
std::string choice_text(std::span<const WayFigures> ways);
// Makes a note for each fabric and kind of choice.
ReportParts parts_of(std::span<const RouteChoices> choices);

// Lists what each entry of a file of rules does.
ReportParts parts_of(const CollectiveRules& rules);
// Warns of entries that may not do what their writer meant, or that could not be followed.
std::vector<std::string> warnings_of(const CollectiveRules& rules);

// The record of a run, and what was recorded of it → the views of its report.

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
Listing listing_of(std::span<const LinkUse> links, RateUnit unit, std::size_t most = 10);
nlohmann::ordered_json to_json(std::span<const LinkUse> links);

// Adds a matrix of who sends how much to whom; nothing if no messages were sent. Many ranks are grouped.
void add_traffic(const Traffic& traffic, ReportParts& parts);
nlohmann::ordered_json to_json(const Traffic& traffic);
Listing all_pairs(const Traffic& traffic); // the busiest first

// Adds the calls of a recorded application. Brief: one line with the most important ones.
void add_calls(const CallProfile& profile, bool is_brief, ReportParts& parts);
nlohmann::ordered_json to_json(const CallProfile& profile);

// A candidate of a sweep → text; the best order of ranks → how to start it.

// Returns the devices of a candidate's ranks; for many ranks the differences from the default: "as the default, but 3
// on node0.mic1, 7 on node1.mic0".
std::string placement_text(const SweepRecord& record, const SweepPoint& point);

// Adds the command lines that start the best order.
void add_launch_lines(const SweepRecord& record, ReportParts& parts);

// The result of a calibration, and a platform file → the file with the result merged in.

// Whether a value can be merged: it is a limit of known devices, and platforms have such a field.
bool can_be_merged(const SharedLimit& limit);

// Returns the text of a platform file in which the regimes or adjustments replace those in the file, or a rule is split
// by scope. Everything else stays as it is written. The text must be a platform file without faults; its rules are
// split before regimes are merged.
std::string merge(const std::string& platform, const RuleSplit& split);
std::string merge(const std::string& platform, const std::string& fabric, const CalibrationRecord& record);
std::string merge(const std::string& platform, const std::string& fabric, const TunedAdjustments& tuned);
std::string merge(const std::string& platform, const SharedLimit& limit);
std::string merge(const std::string& platform, const CollectiveFit& fit); // merges the fields that changed

} // namespace kakehashi
