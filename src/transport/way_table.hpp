// Ranks on devices and a fabric → the way between any two of them, found when it is first asked for. If ranks on GPUs
// have hosts, these are places of their own, between which messages take ways of another fabric.
#pragma once

#include "transport/path.hpp"

#include <deque>

namespace kakehashi {

class WayTable {
public:
  // Keeps references to platform, topology and fabrics. hosts: that of the hosts of GPUs; null: ranks have none.
  WayTable(const Platform& platform, Topology& topology, const Fabric& fabric, std::span<const std::size_t> devices,
           const Fabric* hosts = nullptr);

  // The index of the way between two ranks for messages of a size. Errors: no route, or no rule of the fabric matches.
  Result<std::uint32_t> find(int from, int to, Side initiator = Side::sender, Bytes size = {}, bool on_hosts = false) {
    std::size_t part = 0; // of sizes, by which stripes begin
    while (part < stripes_from_.size() && size >= stripes_from_[part])
      ++part;
    const auto [row, column] = place(slot(from, on_hosts), slot(to, on_hosts), initiator, part);
    auto& known = rows_[row];
    if (!known.empty() && known[column] != none)
      return known[column];
    return add(row, column);
  }

  const Way& operator[](std::size_t index) const { return ways_[index]; }
  const std::deque<Way>& all() const { return ways_; } // that were asked for

  // Finds all ways at once, so that every fault is found; for few devices.
  Errors find_all();
  std::size_t devices() const { return devices_.size(); }

  // Of the device that a rank is on.
  const Device& device_of(int rank) const { return device(slot(rank)); }
  std::size_t memory_of(int rank, bool on_host = false) { // a channel
    return topology_.memory(number(slot(rank, on_host)));
  }
  // A rank's share of its device's caches.
  double cache_of(int rank, bool on_host = false) const { return cache_on(slot(rank, on_host)); }
  const Platform& platform() const { return platform_; }
  const std::deque<Channel>& channels() const { return topology_.channels(); }

  // Devices by their slots, from 0 to devices() - 1, and ways between them that are not kept; parts are of sizes, whose
  // ways differ.
  int ranks() const { return static_cast<int>(slot_of_rank_.size()); }
  std::size_t slot(int rank, bool on_host = false) const {
    const auto own = slot_of_rank_[static_cast<std::size_t>(rank)];
    return on_host ? host_of_[own] : own;
  }
  // Of those of the ranks' own devices, which come before all others, or of hosts.
  bool has_hosts() const { return hosts_ != nullptr; }
  bool is_host(std::size_t slot) const { return slot >= own_; }
  // What a copy between a slot's GPU and its host takes; nothing of a device that is its own host.
  Route copy_route(std::size_t slot, bool to_host) const;
  std::size_t number(std::size_t slot) const { return devices_[slot]; }
  const Device& device(std::size_t slot) const { return platform_.devices[number(slot)]; }
  double cache_on(std::size_t slot) const; // what a rank there has of the caches
  std::size_t parts() const { return stripes_from_.size() + 1; }
  Result<Way> make(std::size_t from, std::size_t to, std::size_t part, Side initiator = Side::sender) const;

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::pair<std::size_t, std::size_t> place(std::size_t from, std::size_t to, Side initiator, std::size_t part) const {
    return {from, ((initiator == Side::receiver) * parts() + part) * devices() + to};
  }
  void add_hosts();
  Result<std::uint32_t> add(std::size_t row, std::size_t column);

  const Platform& platform_;
  Topology& topology_;
  const Fabric& fabric_;
  const Fabric* hosts_;
  Fabric copies_;                     // between GPUs and their hosts, over links of all types
  std::size_t own_ = 0;               // slots that are no hosts
  std::vector<std::size_t> host_of_;  // of each of them: a slot
  std::vector<std::size_t> devices_;  // of each slot, in the order of their first ranks
  std::vector<std::size_t> ranks_on_; // likewise
  std::vector<std::uint32_t> slot_of_rank_;
  std::vector<Bytes> stripes_from_;              // sizes from which some fabric cuts messages in stripes, in order
  std::vector<std::vector<std::uint32_t>> rows_; // from slot; empty until it is asked for
  std::deque<Way> ways_;
};

} // namespace kakehashi
