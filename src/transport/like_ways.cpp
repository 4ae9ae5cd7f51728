#include "transport/like_ways.hpp"

#include "transport/cost.hpp"

namespace kakehashi {

std::uint32_t LikeWays::first_like(std::uint32_t number, const Way& way) {
  Key key{terms_of(way), {}};
  for (auto& stage : key.terms.stages)
    stage.latency = {}; // a rate does not depend on latency
  for (const auto& path : way.stages)
    for (std::size_t leg = 0; leg < path.route.legs(); ++leg)
      key.rates.push_back(lone_rate(path, {}, leg, channels_).value_or(BytesPerSecond{}));
  return first_.try_emplace(std::move(key), number).first->second;
}

} // namespace kakehashi
