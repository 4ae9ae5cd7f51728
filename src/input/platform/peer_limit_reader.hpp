// The limits of PCIe devices that use each other's memory, in a platform file → those of its Platform.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

void read_peer_limits(const nlohmann::json& root, Platform& platform, Faults& faults);

} // namespace kakehashi
