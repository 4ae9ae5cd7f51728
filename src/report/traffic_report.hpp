// Who sends how much to whom → a matrix and JSON, as part of a summary.
#pragma once

#include "report/report.hpp"
#include "result/traffic.hpp"

#include <nlohmann/json_fwd.hpp>

namespace kakehashi {

// Nothing if no messages were sent. Many ranks are taken together.
void add_traffic(const Traffic& traffic, ReportParts& parts);
nlohmann::ordered_json to_json(const Traffic& traffic);

} // namespace kakehashi
