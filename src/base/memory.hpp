// The memory that is free, and a limit on the memory of this process.
#pragma once

#include "base/units.hpp"

#include <cstddef>

namespace kakehashi {

// Returns the memory that new programs could have now: the machine's, or less in a container. None: unknown.
std::optional<Bytes> free_memory();

// Limits the memory of this process; an allocation beyond the limit throws std::bad_alloc.
void bound_memory(Bytes most);

// Returns what this process may still allocate under its limit. None: it has no limit.
std::optional<Bytes> spare_memory();

// Lowers the limit of this process, one of `children` that run at the same time, to its share of what is left.
void share_memory(int children);

// Returns the peak that Linux reports, in MiB, of this process or of a child with more. None: there is no /proc.
std::optional<double> peak_mebibytes();

// A heap on large pages of memory.

// Puts the first `size` bytes of the heap on pages of 2 MiB, if the system has such pages. Call it once, before much is
// allocated. A run with thousands of ranks reads its tables in no order; with small pages, the processor would spend
// much of its time on finding pages.
void use_large_pages(std::size_t size);

} // namespace kakehashi
