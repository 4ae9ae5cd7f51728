// The key "tofu" of a platform file → the nodes and links of its network.
#pragma once

#include "input/platform/node_template.hpp"

namespace kakehashi {

// The platform is still empty.
void read_torus(const nlohmann::json& tofu, const NodeTemplates& templates, Platform& platform, Faults& faults);

} // namespace kakehashi
