// How a run spent its time → pictures and tables.
#pragma once

#include "report/page/page.hpp"
#include "result/explanation.hpp"
#include "result/summary.hpp"
#include "result/traffic.hpp"

#include <span>

namespace kakehashi {

Figure ranks_figure(const RunSummary& summary, std::span<const std::string> devices);
Figure path_figure(const RunSummary& summary);
Figure traffic_figure(const Traffic& traffic);
Listing links_table(std::span<const LinkUse> links, const std::string& where = "");
// Shows the effect of parameters if they were a tenth better.
Figure effects_figure(std::span<const Effect> effects);

} // namespace kakehashi
