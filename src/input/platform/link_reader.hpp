// The entry of a link → the Link, without its ends.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// Fields that the entry leaves out stay as they are in `link`. It has no rating if a field that the type needs is
// missing; that is a fault unless the entry states its bandwidth.
Link read_link(const nlohmann::json& entry, const std::string& place, Faults& faults, Link link = {});

} // namespace kakehashi
