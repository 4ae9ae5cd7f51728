// A candidate of a sweep → text; the best order of ranks → how to start it.
#pragma once

#include "report/report.hpp"
#include "result/sweep_record.hpp"

namespace kakehashi {

// Returns the devices of a candidate's ranks; for many ranks the differences from the default: "as the default, but 3
// on node0.mic1, 7 on node1.mic0".
std::string placement_text(const SweepRecord& record, const SweepPoint& point);

// Adds the command lines that start the best order.
void add_launch_lines(const SweepRecord& record, ReportParts& parts);

} // namespace kakehashi
