// Ways, one after the other → for each the first one over which messages that are alone flow as fast.
#pragma once

#include "transport/path.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace kakehashi {

class LikeWays {
public:
  // Keeps a reference.
  explicit LikeWays(const std::deque<Channel>& channels) : channels_(channels) {}

  std::uint32_t first_like(std::uint32_t number, const Way& way);

private:
  const std::deque<Channel>& channels_;
  struct Key {
    WayTerms terms;
    std::vector<BytesPerSecond> rates; // of each leg
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::uint32_t> first_;
};

} // namespace kakehashi
