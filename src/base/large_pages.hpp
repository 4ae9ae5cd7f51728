// The heap on large pages of memory.
#pragma once

#include <cstddef>

namespace kakehashi {

// To be called once, before much is allocated. The tables of a run with thousands of ranks are read all over the place,
// so that the processor has to look up where a page is again and again; with pages of 2 MiB it knows. Where the system
// has none, nothing happens. `size`: of the first part of the heap, which has them.
void use_large_pages(std::size_t size);

} // namespace kakehashi
