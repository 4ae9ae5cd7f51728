// A number in a sequence and a seed → a key by which to order simultaneous things: the number itself for seed 0, else
// a shuffle that is the same every time.
#pragma once

#include <cstdint>

namespace kakehashi {

inline std::uint64_t shuffled(std::uint64_t number, std::uint32_t seed) {
  if (seed == 0)
    return number;
  std::uint64_t key = (number + 1) * 0x9e3779b97f4a7c15u ^ (static_cast<std::uint64_t>(seed) << 32 | seed);
  key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
  return key ^ key >> 32;
}

} // namespace kakehashi
