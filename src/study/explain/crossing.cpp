#include "study/explain/explanation.hpp"

#include "topology/peer_leg.hpp"
#include "topology/search.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// Returns the devices of a kind that are joined to a socket, except one.
std::vector<std::string> devices_on(const Platform& platform, std::size_t socket, DeviceKind kind, std::size_t but) {
  std::vector<std::string> names;
  for (const auto& link : platform.links)
    for (const auto& [end, other] : {std::pair(link.from, link.to), std::pair(link.to, link.from)})
      if (other == socket && end != but && platform.devices[end].kind == kind)
        names.push_back(platform.devices[end].name);
  return names;
}

} // namespace

std::vector<Crossing> crossings_of(const Path& path, const Platform& platform) {
  std::vector<std::size_t> directions;
  std::ranges::copy_if(path.route.channels, std::back_inserter(directions),
                       [&](std::size_t channel) { return channel < 2 * platform.links.size(); });
  std::vector<Crossing> crossings;
  for (const auto& leg : peer_legs(platform, directions, path.to, path.terms.initiator)) {
    const auto& limit = platform.peer_limits[leg.limit];
    const auto near = head_of(platform, directions[leg.begin]);
    const auto far = tail_of(platform, directions[leg.end - 1]);
    // It needs a link to one socket, one between sockets, and one from the other.
    if (!limit.crosses || leg.end - leg.begin < 3)
      continue;
    const bool is_read = limit.access == MemoryAccess::read; // the device that gets the data reads
    Crossing crossing{platform.devices[leg.from].name,
                      platform.devices[near].name,
                      platform.devices[leg.to].name,
                      platform.devices[far].name,
                      limit.access,
                      *limit.crosses,
                      limit.rate,
                      devices_on(platform, is_read ? far : near, limit.memory, is_read ? leg.to : leg.from)};
    crossings.push_back(std::move(crossing));
  }
  return crossings;
}

} // namespace kakehashi
