// Cores → the bytes per second that they can move.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

// Returns the rate, reads and writes together, at which a core copies within the caches while all cores of the device
// do so. If the platform does not state it, it is 1.33 times the rate of a lone message of 128 KiB to 4 MiB inside the
// device on the first fabric whose cores copy; without such a fabric it is the usual rate.
BytesPerSecond core_rate_of(const Platform& platform, const Device& device);

} // namespace kakehashi
