// A heap on large pages of memory.
#pragma once

#include <cstddef>

namespace kakehashi {

// Puts the first `size` bytes of the heap on pages of 2 MiB, if the system has such pages. Call it once, before much is
// allocated. A run with thousands of ranks reads its tables in no order; with small pages, the processor would spend
// much of its time on finding pages.
void use_large_pages(std::size_t size);

} // namespace kakehashi
