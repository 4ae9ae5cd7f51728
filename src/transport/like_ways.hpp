// Ways, one after the other → for each way the first one over which lone messages flow equally fast.
#pragma once

#include "transport/path.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace kakehashi {

class LikeWays {
public:
  // It keeps a reference to the channels.
  explicit LikeWays(const std::deque<Channel>& channels) : channels_(channels) {}

  std::uint32_t first_like(std::uint32_t number, const Way& way);

private:
  const std::deque<Channel>& channels_;
  struct Key {
    WayTerms terms;
    std::vector<BytesPerSecond> rates; // a rate for each leg
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::uint32_t> first_;
};

} // namespace kakehashi
