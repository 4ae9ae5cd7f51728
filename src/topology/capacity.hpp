// A link → the bytes per second that its payload can have in each direction.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

// A stated bandwidth beats the one that follows from the link's rating.
Capacity capacity_of(const Link& link);

// Of reads and writes together. Without a stated one, 0.85 of the data sheet's rate, about what STREAM measures on most
// machines.
BytesPerSecond bandwidth_of(const Memory& memory);

} // namespace kakehashi
