// Recordings on powers of two of ranks that all make the same calls at once → the events of a larger power of two.
#pragma once

#include "input/growth/growth.hpp"

namespace kakehashi {

// Partners follow from the bits of a rank's number, as in exchanges over distances that double. Errors: why they do
// not.
Result<GrownJob> grow_by_doubling(const std::vector<RecordedSize>& recordings, int ranks);

} // namespace kakehashi
