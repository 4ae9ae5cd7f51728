// Ranks in similar places → the first of them, which stand for all.
//
// All ranks can be shifted by n if the way between any two is like the way between the ranks n further on (the first
// follow the last), over similar channels, and every channel always has the same image. They can be mirrored if the
// same holds for ranks as far from the last rank as these are from the first. Blocks of them can change places if it
// holds, for each bit, for ranks of the block whose number differs in this bit. If each rank also does the same as its
// images, the first ranks show what happens to all; a channel shows what happens to all channels for which it stands,
// since the same flows over each of them. No two images of a rank may share a channel or a NIC.
//
// Invariants:
// 1. What stands for a rank, a channel or a device stands for itself.
// 2. The map of channels follows from that of ranks: a channel has one image under each move, and no two channels have
//    the same.
// 3. Ways of a rank's images have equal terms, and equal rates on each leg, so lone messages on them take equal times.
// 4. No two images of a rank share a channel or a NIC, so that none is counted for several.
#pragma once

#include "model/rank_images.hpp"
#include "transport/way_table.hpp"

namespace kakehashi {

struct Shift : RankImages {
  std::vector<std::uint32_t> channels; // the channel that stands for each
  std::vector<std::uint32_t> devices;  // the device that stands for each

  std::size_t channel(std::size_t number) const { return number < channels.size() ? channels[number] : number; }
};

// Finds the shift with the fewest ranks; none if there is none. It shifts by a multiple of `step`, and mirrors if
// `may_mirror`; then no NIC may take turns between messages. It compares the ways between all devices of messages that
// senders send.
std::optional<Shift> find_shift(const WayTable& ways, Topology& topology, int step, bool may_mirror);

// Finds the shift for given images, which are not mirrored; none unless everything on the ranks' ways moves with them.
// It compares the same ways as find_shift.
std::optional<Shift> find_images(const WayTable& ways, Topology& topology, const RankImages& ranks);

} // namespace kakehashi
