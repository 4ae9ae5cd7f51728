#include "transport/like_ways.hpp"

#include "transport/cost.hpp"

#include <bit>

namespace kakehashi {

std::uint32_t LikeWays::first_like(std::uint32_t number, const Way& way) {
  std::vector<std::uint64_t> key{way.chunk ? way.chunk->count : 0};
  for (const auto& path : way.stages) {
    key.insert(key.end(), {std::bit_cast<std::uintptr_t>(path.rule), static_cast<std::uint64_t>(path.from_kind),
                           static_cast<std::uint64_t>(path.to_kind), static_cast<std::uint64_t>(path.initiator),
                           static_cast<std::uint64_t>(path.stripes), path.route.legs()});
    key.insert(key.end(), path.crossings.begin(), path.crossings.end());
    for (std::size_t leg = 0; leg < path.route.legs(); ++leg) {
      const auto rate = lone_rate(path, {}, leg, channels_);
      key.push_back(std::bit_cast<std::uint64_t>(rate ? rate->value : 0.0));
    }
  }
  return first_.try_emplace(std::move(key), number).first->second;
}

} // namespace kakehashi
