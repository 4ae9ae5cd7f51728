// A platform → warnings of caps that hide the links beneath them.
#pragma once

#include "model/platform.hpp"

#include <string>
#include <vector>

namespace kakehashi {

// For each regime whose cap is within a tenth of what the narrowest link of its messages carries, so that another link
// would change little. Looks at the ways between the devices that `list` shows.
std::vector<std::string> near_caps(const Platform& platform);

} // namespace kakehashi
