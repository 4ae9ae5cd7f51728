// Where the time of a run went → parts of the report of the run, and JSON.
#pragma once

#include "report/report.hpp"
#include "result/summary.hpp"

#include <nlohmann/json_fwd.hpp>
#include <span>

namespace kakehashi {

// ranks: the device of each. Of a brief summary only shares and busiest links.
void add_summary(const RunSummary& summary, std::span<const std::string> ranks, ReportParts& parts);
nlohmann::ordered_json to_json(const RunSummary& summary);

// The busiest links, and how many more there are.
Listing listing_of(std::span<const LinkUse> links, std::size_t most = 10);
nlohmann::ordered_json to_json(std::span<const LinkUse> links);

} // namespace kakehashi
