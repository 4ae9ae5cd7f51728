// A recording of ranks that make the same calls at once, and a plan → the events of the ranks of a larger job.
#pragma once

#include "input/growth/doubling_plan.hpp"

namespace kakehashi {

// `work` is the factor of each rank's work.
std::shared_ptr<const TraceSource> doubled_source(const CommonCalls& recorded, DoublingPlan plan, int bits, double work,
                                                  std::vector<std::string> warnings);

} // namespace kakehashi
