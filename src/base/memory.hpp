// The memory that is free, and a limit on the memory of this process.
#pragma once

#include "base/units.hpp"

namespace kakehashi {

// Returns the memory that new programs could have now: the machine's, or less in a container. None: unknown.
std::optional<Bytes> free_memory();

// Limits the memory of this process; an allocation beyond the limit throws std::bad_alloc.
void bound_memory(Bytes most);

// Returns what this process may still allocate under its limit. None: it has no limit.
std::optional<Bytes> spare_memory();

// Lowers the limit of this process, one of `children` that run at the same time, to its share of what is left.
void share_memory(int children);

} // namespace kakehashi
