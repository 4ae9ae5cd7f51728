// The message that routes are chosen for.
#pragma once

#include "base/units.hpp"

namespace kakehashi {

// Of several ways between two devices the fastest for a message of this size is the route, whatever else a message
// costs: from there on what a way carries counts for more than how long a byte takes on it.
inline constexpr Bytes route_size{64 << 10};

} // namespace kakehashi
