// Text → a number that another text hardly ever has: FNV-1a (Fowler, Noll, Vo), 64 bits.
#pragma once

#include <cstdint>
#include <string_view>

namespace kakehashi {

inline constexpr std::uint64_t hash_of_nothing = 14695981039346656037u;

// Continues `begun`, the hash of the text before.
constexpr std::uint64_t hash_of(std::string_view text, std::uint64_t begun = hash_of_nothing) {
  auto hash = begun;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

// Continues with a number.
inline std::uint64_t hash_with(std::uint64_t begun, std::int64_t number) {
  return hash_of({reinterpret_cast<const char*>(&number), sizeof number}, begun);
}

} // namespace kakehashi
