// A link → the bytes per second that its payload can have in each direction.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

// A stated bandwidth beats the one that follows from the link's rating.
Capacity capacity_of(const Link& link);

// Of reads and writes together. Without a stated one, 0.85 of the data sheet's rate, about what STREAM measures on most
// machines.
BytesPerSecond bandwidth_of(const Memory& memory);

// What a core of the device has of caches while all cores copy within them, reads and writes together. Where the
// platform does not state it, 1.33 times what a lone message of 128 KiB to 4 MiB inside the device reaches on the first
// fabric with copies by cores; without one the usual rate.
BytesPerSecond core_rate_of(const Platform& platform, const Device& device);

} // namespace kakehashi
