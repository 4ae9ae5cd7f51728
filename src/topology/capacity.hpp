// A link → the bytes per second that its payload can have in each direction.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

// A stated bandwidth beats the one that follows from the link's rating.
struct Capacity {
  BytesPerSecond forward;
  BytesPerSecond backward;
};
Capacity capacity_of(const Link& link);

} // namespace kakehashi
