// Memory that will be needed soon → fetched, while the program goes on. Any address will do.
#pragma once

namespace kakehashi {

inline void prefetch(const void* address) {
  __builtin_prefetch(address);
}

} // namespace kakehashi
