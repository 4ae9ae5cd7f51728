// Surveyed recordings → how calls and work change from them to a larger job.
#pragma once

#include "input/growth/grown_source.hpp"

namespace kakehashi {

// Returns sentences about the changes, and about everything that the recordings leave open.
std::vector<std::string> find_changes(GrowthBasis& basis);

} // namespace kakehashi
