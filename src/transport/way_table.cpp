#include "transport/way_table.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace kakehashi {

namespace {

// Returns the CPU in the node to which a copy takes the least time. A device that is no GPU, or has no CPU in its node,
// is its own host.
std::size_t host_of(const Platform& platform, Topology& topology, const Fabric& copies, std::size_t device) {
  constexpr double copied = 65536; // bytes, the usual route size
  auto host = device;
  auto least = std::numeric_limits<double>::infinity();
  const auto& node = platform.devices[device].node;
  if (platform.devices[device].kind != DeviceKind::gpu || !node)
    return device;
  for (std::size_t cpu = 0; cpu < platform.devices.size(); ++cpu) {
    if (platform.devices[cpu].kind != DeviceKind::cpu || platform.devices[cpu].node != node)
      continue;
    const auto route = topology.route(copies, device, cpu);
    const auto narrowest = route ? bottleneck(route->channels, topology.channels()) : std::nullopt;
    if (!narrowest)
      continue;
    const auto time = route->latency.value + copied / share_of(route->channels, *narrowest, topology.channels()).value;
    if (time < least) {
      least = time;
      host = cpu;
    }
  }
  return host;
}

} // namespace

WayTable::WayTable(const Platform& platform, Topology& topology, const Fabric& fabric,
                   std::span<const std::size_t> devices, const Fabric* hosts)
    : platform_(platform), topology_(topology), fabric_(fabric), hosts_(hosts) {
  std::map<std::size_t, std::size_t> slots;
  for (const auto device : devices) {
    const auto [slot, is_new] = slots.emplace(device, devices_.size());
    if (is_new) {
      devices_.push_back(device);
      ranks_on_.push_back(0);
    }
    ++ranks_on_[slot->second];
    slot_of_rank_.push_back(static_cast<std::uint32_t>(slot->second));
  }
  own_ = devices_.size();
  if (hosts)
    add_hosts();
  rows_.resize(devices_.size());
  for (const auto* each : {&fabric, hosts})
    for (const auto* part : each ? parts_of(platform, *each) : std::vector<const Fabric*>())
      if (part->stripes_from)
        stripes_from_.push_back(*part->stripes_from);
  std::ranges::sort(stripes_from_);
}

void WayTable::add_hosts() {
  std::set<LinkType> types;
  for (const auto& link : platform_.links)
    types.insert(link.type);
  copies_.name = "copies";
  copies_.links.assign(types.begin(), types.end());
  std::map<std::size_t, std::size_t> slots; // the slot of each host
  for (std::size_t slot = 0; slot < own_; ++slot) {
    const auto host = host_of(platform_, topology_, copies_, devices_[slot]);
    const auto [found, is_new] = slots.emplace(host, devices_.size());
    if (is_new) {
      devices_.push_back(host);
      ranks_on_.push_back(0);
    }
    ranks_on_[found->second] += ranks_on_[slot];
    host_of_.push_back(found->second);
  }
}

Route WayTable::copy_route(std::size_t slot, bool to_host) const {
  const auto gpu = devices_[slot], host = devices_[host_of_[slot]];
  if (gpu == host)
    return {};
  const auto route = topology_.route(copies_, to_host ? gpu : host, to_host ? host : gpu);
  return route ? *route : Route{};
}

Result<std::uint32_t> WayTable::add(std::size_t row, std::size_t column) {
  const auto side_and_part = column / devices();
  auto way =
      make(row, column % devices(), side_and_part % parts(), side_and_part < parts() ? Side::sender : Side::receiver);
  if (!way)
    return way.errors();
  if (rows_[row].empty())
    rows_[row].assign(2 * devices_.size() * parts(), none);
  ways_.push_back(std::move(*way));
  return rows_[row][column] = static_cast<std::uint32_t>(ways_.size() - 1);
}

Result<Way> WayTable::make(std::size_t from, std::size_t to, std::size_t part, Side initiator) const {
  return make_way(platform_, topology_, is_host(from) ? *hosts_ : fabric_, number(from), number(to), initiator,
                  part == 0 ? Bytes{} : stripes_from_[part - 1]);
}

double WayTable::cache_on(std::size_t slot) const {
  const auto usual = *usual_memory(device(slot).kind).cache;
  const auto cache = device(slot).memory ? device(slot).memory->cache.value_or(usual) : usual;
  return static_cast<double>(cache.count) / static_cast<double>(ranks_on_[slot]);
}

Errors WayTable::find_all() {
  Errors errors;
  for (std::size_t from = 0; from < own_; ++from)
    for (std::size_t to = 0; to < own_; ++to) {
      if (from == to && ranks_on_[from] == 1) // a single rank on a device need not reach itself
        continue;
      if (const auto found = add(from, place(from, to, Side::sender, 0).second); !found)
        errors.insert(errors.end(), found.errors().begin(), found.errors().end());
    }
  return errors;
}

} // namespace kakehashi
