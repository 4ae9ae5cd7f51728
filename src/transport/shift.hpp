// Ranks that stand alike → the first of them, which stand for all.
//
// All ranks can be shifted by n if the way between any two is like the way between those n further on (behind the last
// comes the first), over channels that are alike, always the same instead of the same. If each rank also does what the
// one n further on does, those from 0 to n - 1 show what happens to all, and a channel what happens to all channels
// that it stands for: what flows over one of them, flows over it.
#pragma once

#include "transport/way_table.hpp"

namespace kakehashi {

struct Shift {
  int ranks = 0;                       // that stand for all
  int images = 1;                      // that each of them stands for, itself among them
  std::vector<std::uint32_t> channels; // for each channel the one that stands for it
  std::vector<std::uint32_t> devices;  // likewise

  std::size_t channel(std::size_t number) const { return number < channels.size() ? channels[number] : number; }
};

// The one with the fewest ranks, a multiple of `step`; none if there is none. It looks at the ways between all devices,
// of messages that the sender sends.
std::optional<Shift> find_shift(const WayTable& ways, Topology& topology, int step);

} // namespace kakehashi
