// Ranks that stand alike → the first of them, which stand for all.
//
// All ranks can be shifted by n if the way between any two is like the way between those n further on (behind the last
// comes the first), over channels that are alike, always the same instead of the same. They can be mirrored if that is
// so of those as far from the last rank as they are from the first, and blocks of them can change places if it is so of
// those of the block whose number differs in a bit, for each bit. If each rank also does what its images do, the
// first ones show what happens to all, and a channel what happens to all channels that it stands for: what flows over
// one of them, flows over it. No two images of a rank may share a channel or a NIC.
#pragma once

#include "model/rank_images.hpp"
#include "transport/way_table.hpp"

namespace kakehashi {

struct Shift : RankImages {
  std::vector<std::uint32_t> channels; // for each channel the one that stands for it
  std::vector<std::uint32_t> devices;  // likewise

  std::size_t channel(std::size_t number) const { return number < channels.size() ? channels[number] : number; }
};

// The one with the fewest ranks; none if there is none. It shifts by a multiple of `step`, and mirrors if it may; then
// none where NICs take turns with messages. It looks at the ways between all devices, of messages that the sender
// sends.
std::optional<Shift> find_shift(const WayTable& ways, Topology& topology, int step, bool may_mirror);

// Those that are not mirrored, if all that they are on moves with them. It looks at the ways as find_shift does.
std::optional<Shift> find_images(const WayTable& ways, Topology& topology, const RankImages& ranks);

} // namespace kakehashi
