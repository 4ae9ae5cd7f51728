// The nodes, devices and links of a platform file → those of its Platform.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

void read_machine(const nlohmann::json& root, Platform& platform, Faults& faults);

} // namespace kakehashi
