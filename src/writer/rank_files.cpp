#include "writer/rank_files.hpp"

#include <fmt/ostream.h>
#include <map>

namespace kakehashi {

std::string host_of(const Platform& platform, std::size_t device) {
  const auto& of = platform.devices[device];
  if (!of.node)
    return of.name;
  const auto& host = platform.nodes[*of.node];
  return of.kind == DeviceKind::cpu ? host : fmt::format("{}-{}", host, of.local_name());
}

std::size_t socket_of(const Platform& platform, std::size_t device) {
  std::size_t socket = 0;
  for (std::size_t i = 0; i < device; ++i)
    socket += platform.devices[i].kind == DeviceKind::cpu && platform.devices[i].node == platform.devices[device].node;
  return socket;
}

void write_rankfile(const SweepPoint& point, const Platform& platform, std::ostream& out) {
  std::map<std::size_t, int> used; // used cores of each device
  for (std::size_t rank = 0; rank < point.devices.size(); ++rank) {
    const auto device = point.devices[rank];
    const bool is_socket = platform.devices[device].kind == DeviceKind::cpu && platform.devices[device].node;
    fmt::print(out, "rank {}={} slot={}:{}\n", rank, host_of(platform, device),
               is_socket ? socket_of(platform, device) : 0, used[device]++);
  }
}

void write_machinefile(const SweepPoint& point, const Platform& platform, std::ostream& out) {
  for (std::size_t rank = 0; rank < point.devices.size();) {
    const auto host = host_of(platform, point.devices[rank]);
    std::size_t count = 0;
    for (; rank < point.devices.size() && host_of(platform, point.devices[rank]) == host; ++rank)
      ++count;
    fmt::print(out, "{}:{}\n", host, count);
  }
}

void write_hostfile(const SweepPoint& point, const Platform& platform, std::ostream& out) {
  for (const auto device : point.devices)
    out << host_of(platform, device) << '\n';
}

} // namespace kakehashi
