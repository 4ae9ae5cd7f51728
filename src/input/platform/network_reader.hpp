// The key "networks" of a platform file → the switches and links of its networks.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// The platform has all other devices.
void read_networks(const nlohmann::json& networks, Platform& platform, Faults& faults);

} // namespace kakehashi
