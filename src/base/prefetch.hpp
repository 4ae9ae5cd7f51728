// Tells the processor to fetch memory that will be needed soon. Any address will do.
#pragma once

namespace kakehashi {

inline void prefetch(const void* address) {
  __builtin_prefetch(address);
}

} // namespace kakehashi
