// A whole platform → faults for endpoints that no link, or no gateway, lets messages reach.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

void check_reachability(const Platform& platform, Faults& faults);

} // namespace kakehashi
