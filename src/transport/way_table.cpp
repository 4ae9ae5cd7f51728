#include "transport/way_table.hpp"

#include <algorithm>
#include <cassert>
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

// Returns the domain of the device's rank number `rank`, below the number of ranks.
std::size_t domain_on(const Device& device, CoreOrder order, std::size_t rank) {
  const auto cores = static_cast<std::size_t>(std::max(device.cores, 1));
  const auto shared =
      device.memory && device.memory->cache_domain > 0 ? static_cast<std::size_t>(device.memory->cache_domain) : cores;
  const auto in_turn = domains_in_turn(device, order);
  rank %= cores; // further ranks share cores
  return (rank % in_turn * (cores / in_turn) + rank / in_turn) / shared;
}

} // namespace

WayTable::WayTable(const Platform& platform, Topology& topology, const Fabric& fabric,
                   std::span<const std::size_t> devices, const Lanes& lanes, CoreOrder order)
    : platform_(platform), topology_(topology), fabric_(fabric), lanes_(lanes) {
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
  find_domains(order);
  has_several_nodes_ = std::ranges::any_of(devices_, [&](std::size_t device) {
    return platform_.devices[device].node != platform_.devices[devices_.front()].node;
  });
  field_of_slot_.resize(own_, 0);
  std::set<LinkType> types;
  for (const auto& link : platform_.links)
    types.insert(link.type);
  copies_.name = "copies";
  copies_.links.assign(types.begin(), types.end());
  for (const auto& lane : lanes_)
    field_of_lane_.push_back(lane.is_open ? field_for(lane) : 0);
  rows_.resize(devices_.size());
  for (const auto& field : fields_)
    for (const auto* part : parts_of(platform, *field.fabric))
      if (part->stripes_from)
        stripes_from_.push_back(*part->stripes_from);
  std::ranges::sort(stripes_from_);
}

// The ranks of a device are on its first cores, in the order of these or round its domains of cores.
void WayTable::find_domains(CoreOrder order) {
  const auto has_domains = [&](std::size_t slot) { return device(slot).memory && device(slot).memory->domain_rate; };
  bool has_any = false;
  for (std::size_t slot = 0; slot < own_; ++slot)
    has_any |= has_domains(slot);
  if (!has_any)
    return;
  std::vector<std::size_t> first(own_), seen(own_);
  std::size_t cores = 0;
  for (std::size_t slot = 0; slot < own_; ++slot) {
    first[slot] = cores;
    cores += static_cast<std::size_t>(std::max(device(slot).cores, 1)); // at least as many as domains
  }
  for (const auto slot : slot_of_rank_)
    domain_of_rank_.push_back(static_cast<std::uint32_t>(first[slot] + domain_on(device(slot), order, seen[slot]++)));
}

std::size_t WayTable::field_for(const Lane& lane) {
  const auto* fabric = lane.fabric && !lane.fabric->empty() ? find_fabric(platform_, *lane.fabric) : &fabric_;
  assert(fabric);
  const auto known = std::ranges::find_if(fields_, [&](const Field& field) {
    return field.place == lane.place && field.device == lane.device && field.fabric == fabric;
  });
  if (known != fields_.end())
    return static_cast<std::size_t>(known - fields_.begin());
  auto& field = fields_.emplace_back(Field{lane.place, lane.device, fabric, {}});
  add_slots(field);
  return fields_.size() - 1;
}

// The first field is that of the ranks' own devices, whose slots are there.
void WayTable::add_slots(Field& field) {
  std::map<std::size_t, std::size_t> slots; // each device's slot
  for (std::size_t slot = 0; slot < own_; ++slot) {
    if (fields_.size() == 1) {
      field.slots.push_back(slot);
      continue;
    }
    const auto device = device_at(field, devices_[slot]);
    const auto [found, is_new] = slots.emplace(device, devices_.size());
    if (is_new) {
      devices_.push_back(device);
      ranks_on_.push_back(0);
      field_of_slot_.push_back(fields_.size() - 1);
    }
    ranks_on_[found->second] += ranks_on_[slot];
    field.slots.push_back(found->second);
  }
}

// The device of a field for a rank on `device`.
std::size_t WayTable::device_at(const Field& field, std::size_t device) const {
  switch (field.place) {
  case LanePlace::device: return device;
  case LanePlace::host: return host_of(platform_, topology_, copies_, device);
  case LanePlace::named: return *named_near(platform_, device, field.device);
  }
  return device;
}

Route WayTable::copy_route(std::size_t from, std::size_t to) const {
  if (devices_[from] == devices_[to])
    return {};
  const auto route = topology_.route(copies_, devices_[from], devices_[to]);
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
  return make_way(platform_, topology_, *fields_[field_of(from)].fabric, number(from), number(to), initiator,
                  part == 0 ? Bytes{} : stripes_from_[part - 1]);
}

bool WayTable::has_full_device(int rank) const {
  const auto own = slot(rank);
  return device(own).cores > 2 && ranks_on_[own] >= static_cast<std::size_t>(device(own).cores);
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
