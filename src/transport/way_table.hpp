// Ranks on devices and a fabric → the way between any two ranks, found when it is first needed. If ranks on GPUs have
// hosts, these have slots of their own, and messages between hosts take ways of another fabric.
#pragma once

#include "transport/path.hpp"

#include <deque>

namespace kakehashi {

class WayTable {
public:
  // It keeps references to platform, topology and fabrics. `hosts` is the fabric of the hosts of GPUs; null: ranks have
  // none.
  WayTable(const Platform& platform, Topology& topology, const Fabric& fabric, std::span<const std::size_t> devices,
           const Fabric* hosts = nullptr);

  // Returns the index of the way between two ranks for messages of a size. Errors: no route, or no rule of the fabric
  // matches.
  Result<std::uint32_t> find(int from, int to, Side initiator = Side::sender, Bytes size = {}, bool on_hosts = false) {
    std::size_t part = 0; // index of the range of sizes; stripes begin at its border
    while (part < stripes_from_.size() && size >= stripes_from_[part])
      ++part;
    const auto [row, column] = place(slot(from, on_hosts), slot(to, on_hosts), initiator, part);
    auto& known = rows_[row];
    if (!known.empty() && known[column] != none)
      return known[column];
    return add(row, column);
  }

  const Way& operator[](std::size_t index) const { return ways_[index]; }
  const std::deque<Way>& all() const { return ways_; } // those that were needed so far

  // Finds all ways at once, and so all faults; only for few devices.
  Errors find_all();
  std::size_t devices() const { return devices_.size(); }

  // The device of a rank.
  const Device& device_of(int rank) const { return device(slot(rank)); }
  std::size_t memory_of(int rank, bool on_host = false) { // a channel
    return topology_.memory(number(slot(rank, on_host)));
  }
  // The rank's share of its device's caches.
  double cache_of(int rank, bool on_host = false) const { return cache_on(slot(rank, on_host)); }
  const Platform& platform() const { return platform_; }
  const std::deque<Channel>& channels() const { return topology_.channels(); }

  // Slots, from 0 to devices() - 1, are the devices with ranks or hosts. Parts are the ranges of sizes whose ways
  // differ.
  int ranks() const { return static_cast<int>(slot_of_rank_.size()); }
  std::size_t slot(int rank, bool on_host = false) const {
    const auto own = slot_of_rank_[static_cast<std::size_t>(rank)];
    return on_host ? host_of_[own] : own;
  }
  // The slots of the ranks' own devices come first, those of further hosts after them.
  bool has_hosts() const { return hosts_ != nullptr; }
  bool is_host(std::size_t slot) const { return slot >= own_; }
  // Returns the route of a copy between a slot's GPU and its host; empty for a device that is its own host.
  Route copy_route(std::size_t slot, bool to_host) const;
  std::size_t number(std::size_t slot) const { return devices_[slot]; }
  const Device& device(std::size_t slot) const { return platform_.devices[number(slot)]; }
  double cache_on(std::size_t slot) const; // the share of a rank on it
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
  std::size_t own_ = 0;               // number of slots that are no further hosts
  std::vector<std::size_t> host_of_;  // slot of the host of each of them
  std::vector<std::size_t> devices_;  // of each slot, in the order of their first ranks
  std::vector<std::size_t> ranks_on_; // of each slot
  std::vector<std::uint32_t> slot_of_rank_;
  std::vector<Bytes> stripes_from_;              // sizes from which some fabric stripes messages, ascending
  std::vector<std::vector<std::uint32_t>> rows_; // by the sender's slot; empty until they are needed
  std::deque<Way> ways_;
};

} // namespace kakehashi
