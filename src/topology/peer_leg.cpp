#include "topology/peer_leg.hpp"

#include "topology/search.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

constexpr bool has_memory(DeviceKind kind) {
  return kind == DeviceKind::coprocessor || kind == DeviceKind::gpu;
}
constexpr bool sits_on_pcie(DeviceKind kind) {
  return has_memory(kind) || kind == DeviceKind::hca || kind == DeviceKind::nic || kind == DeviceKind::peach2;
}

// The device that asks for a transfer, and what it does with the other device's memory.
struct Access {
  DeviceKind requester;
  DeviceKind memory;
  MemoryAccess access;
};

std::optional<Access> access_between(DeviceKind from, DeviceKind to, Side initiator) {
  if (!has_memory(from) && !has_memory(to))
    return std::nullopt;
  const bool is_read = !has_memory(to) || (has_memory(from) && initiator == Side::receiver);
  return is_read ? Access{to, from, MemoryAccess::read} : Access{from, to, MemoryAccess::write};
}

bool fits(const PeerLimit& limit, const Access& access, const Platform& platform,
          std::span<const std::size_t> directions) {
  return limit.requester == access.requester && limit.memory == access.memory && limit.access == access.access &&
         (!limit.crosses || std::any_of(directions.begin(), directions.end(), [&](std::size_t direction) {
           return platform.links[link_of_direction(direction)].type == *limit.crosses;
         }));
}

} // namespace

std::vector<PeerLeg> peer_legs(const Platform& platform, const Fabric& fabric, std::span<const std::size_t> directions,
                               std::size_t to, Side initiator) {
  std::vector<PeerLeg> legs;
  if (fabric.forwarded)
    return legs;
  bool has_crossed = false;         // a leg that crosses sockets
  std::optional<std::size_t> begin; // where the route left the last PCIe device, if it has crossed only sockets since
  for (std::size_t at = 0; at <= directions.size(); ++at) {
    const auto device = at < directions.size() ? tail_of(platform, directions[at]) : to;
    const auto kind = platform.devices[device].kind;
    if (sits_on_pcie(kind)) {
      if (begin) {
        PeerLeg leg{*begin, at, tail_of(platform, directions[*begin]), device, 0, false};
        const auto part = directions.subspan(leg.begin, leg.end - leg.begin);
        const auto access = access_between(platform.devices[leg.from].kind, kind, initiator);
        if (access && platform.devices[leg.from].node == platform.devices[device].node) {
          const auto& limits = platform.peer_limits;
          const auto limit = std::find_if(limits.begin(), limits.end(),
                                          [&](const PeerLimit& each) { return fits(each, *access, platform, part); });
          if (limit != limits.end()) {
            leg.limit = static_cast<std::size_t>(limit - limits.begin());
            leg.begins_anew = limit->crosses && has_crossed;
            has_crossed = has_crossed || limit->crosses;
            legs.push_back(leg);
          }
        }
      }
      begin = at;
    } else if (kind != DeviceKind::cpu) {
      begin.reset();
    }
  }
  return legs;
}

} // namespace kakehashi
