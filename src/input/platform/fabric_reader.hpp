// The fabrics of a platform file → those of its Platform.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// The platform has its machine; if there are faults, not the whole of it.
void read_fabrics(const nlohmann::json& root, Platform& platform, Faults& faults);

} // namespace kakehashi
