// Where the time of a run went → a table or JSON, as part of the report of the run.
#pragma once

#include "report/report.hpp"
#include "result/summary.hpp"

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <span>

namespace kakehashi {

// ranks: the device of each. Of a brief summary only shares and busiest links.
void write_summary(const RunSummary& summary, std::span<const std::string> ranks, std::ostream& out);
nlohmann::ordered_json to_json(const RunSummary& summary);

// The shares of a rank's time, in percent: compute, overhead, waiting, transfer.
std::string shares_text(const RankTimes& times);

// The busiest links, and how many more there are.
Listing listing_of(std::span<const LinkUse> links, std::size_t most = 10);
nlohmann::ordered_json to_json(std::span<const LinkUse> links);

} // namespace kakehashi
