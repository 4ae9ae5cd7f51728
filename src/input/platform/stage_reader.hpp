// The entry of a fabric that is made of others, its stages or one for each scope → those of its Fabric.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

void read_stages(const nlohmann::json& body, const std::string& place, Fabric& fabric, Faults& faults);
void read_by_scope(const nlohmann::json& body, Fabric& fabric);

// Faults of the names that they use. The platform has all of its fabrics.
void check_stages(const nlohmann::json& fabrics, const Platform& platform, Faults& faults);
void check_by_scope(const Platform& platform, Faults& faults);

} // namespace kakehashi
