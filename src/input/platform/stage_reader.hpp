// The stages of a staged fabric in a platform file → those of its Fabric.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

void read_stages(const nlohmann::json& body, const std::string& place, Fabric& fabric, Faults& faults);

// Faults of the names that stages use. The platform has all of its fabrics.
void check_stages(const nlohmann::json& fabrics, const Platform& platform, Faults& faults);

} // namespace kakehashi
