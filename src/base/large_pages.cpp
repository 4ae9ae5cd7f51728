#include "base/large_pages.hpp"

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kakehashi {

void use_large_pages(std::size_t size) {
  constexpr std::uintptr_t page = std::size_t{2} << 20;
  constexpr std::size_t block = std::size_t{1} << 20; // more than the heap has free at the start
  constexpr int usual_pad = 128 << 10;
  mallopt(M_MMAP_THRESHOLD, 32 << 20); // smaller allocations come from the heap
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, static_cast<int>(size));
  const auto begin = reinterpret_cast<std::uintptr_t>(sbrk(0));
  void* volatile grown = std::malloc(block);
  std::free(grown);
  mallopt(M_TOP_PAD, usual_pad);
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  const auto first = (begin + page - 1) / page * page;
  if (first < end)
    madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

} // namespace kakehashi
