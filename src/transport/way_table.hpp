// Ranks on devices, a fabric and lanes → the way between any two ranks on a lane, found when it is first needed.
//
// Slots are devices with ranks, from 0, and behind them the places of lanes elsewhere, or with another fabric. Lanes of
// one place and fabric share slots: a *field*. Messages stay in a field.
#pragma once

#include "model/lane.hpp"
#include "transport/path.hpp"

#include <deque>

namespace kakehashi {

class WayTable {
public:
  // It keeps references to platform, topology and fabric. The platform has the fabrics that lanes name.
  WayTable(const Platform& platform, Topology& topology, const Fabric& fabric, std::span<const std::size_t> devices,
           const Lanes& lanes = usual_lanes(), CoreOrder order = CoreOrder::block);

  // Returns the index of the way between two ranks for messages of a size. Errors: no route, or no rule of the fabric
  // matches.
  Result<std::uint32_t> find(int from, int to, Side initiator = Side::sender, Bytes size = {},
                             LaneNumber lane = own_lane) {
    std::size_t part = 0; // index of the range of sizes; stripes begin at its border
    while (part < stripes_from_.size() && size >= stripes_from_[part])
      ++part;
    const auto [row, column] = place(slot(from, lane), slot(to, lane), initiator, part);
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
  std::size_t memory_of(int rank, LaneNumber lane = own_lane) { // a channel
    return topology_.memory(number(slot(rank, lane)));
  }
  // The rank's share of the caches of its device, or of a lane's.
  double cache_of(int rank, LaneNumber lane = own_lane) const { return cache_on(slot(rank, lane)); }
  // Whether all cores of its device have ranks, and more than the two of a ping-pong.
  bool has_full_device(int rank) const;
  bool are_in_one_node(int from, int to) const {
    return device_of(from).node && device_of(from).node == device_of(to).node;
  }
  bool has_several_nodes() const { return has_several_nodes_; }
  // Ranks of one domain run on cores that share a cache of the last level. Only if some device has several of these.
  bool has_domains() const { return !domain_of_rank_.empty(); }
  std::size_t domain_of(int rank) const { return domain_of_rank_[static_cast<std::size_t>(rank)]; }
  const Platform& platform() const { return platform_; }
  const std::deque<Channel>& channels() const { return topology_.channels(); }

  // Parts are the ranges of sizes whose ways differ.
  int ranks() const { return static_cast<int>(slot_of_rank_.size()); }
  const Lanes& lanes() const { return lanes_; }
  // The lane is open.
  std::size_t slot(int rank, LaneNumber lane = own_lane) const {
    const auto own = slot_of_rank_[static_cast<std::size_t>(rank)];
    return lane == own_lane ? own : fields_[field_of_lane_[lane]].slots[own];
  }
  std::size_t field_of(std::size_t slot) const { return field_of_slot_[slot]; }
  // Returns the route of a copy between two slots of a rank; empty if there is none, or they are one device.
  Route copy_route(std::size_t from, std::size_t to) const;
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
  struct Field {
    LanePlace place;
    std::string device;
    const Fabric* fabric;
    std::vector<std::size_t> slots; // a slot for each slot of a device with ranks
  };
  void find_domains(CoreOrder order);
  std::size_t field_for(const Lane& lane);
  void add_slots(Field& field);
  std::size_t device_at(const Field& field, std::size_t device) const;
  Result<std::uint32_t> add(std::size_t row, std::size_t column);

  const Platform& platform_;
  Topology& topology_;
  const Fabric& fabric_;
  Lanes lanes_;
  Fabric copies_; // between places of lanes, over links of all types
  bool has_several_nodes_ = false;
  std::size_t own_ = 0;                    // number of slots of devices with ranks
  std::vector<Field> fields_;              // the first is that of the ranks' devices
  std::vector<std::size_t> field_of_lane_; // the fields of open lanes
  std::vector<std::size_t> field_of_slot_;
  std::vector<std::size_t> devices_;  // each slot's device, in the order of their first ranks
  std::vector<std::size_t> ranks_on_; // the number of ranks on each slot
  std::vector<std::uint32_t> slot_of_rank_;
  std::vector<std::uint32_t> domain_of_rank_;
  std::vector<Bytes> stripes_from_;              // sizes from which some fabric stripes messages, ascending
  std::vector<std::vector<std::uint32_t>> rows_; // a row for each sender's slot; empty until it is needed
  std::deque<Way> ways_;
};

} // namespace kakehashi
