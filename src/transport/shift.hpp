// Ranks that stand alike → the first of them, which stand for all.
//
// All ranks can be shifted by n if the way between any two is like the way between those n further on (behind the last
// comes the first), over channels that are alike, always the same instead of the same. They can be mirrored if that is
// so of those as far from the last rank as they are from the first. If each rank also does what its images do, the
// first ones show what happens to all, and a channel what happens to all channels that it stands for: what flows over
// one of them, flows over it. No two images of a rank may share a channel or a NIC.
#pragma once

#include "transport/way_table.hpp"

namespace kakehashi {

struct Shift {
  int ranks = 0;                       // that stand for all
  int images = 1;                      // that each of them stands for, itself among them
  bool is_mirrored = false;            // those behind them, as many again, are their mirror images
  int of = 0;                          // ranks in all
  std::vector<std::uint32_t> channels; // for each channel the one that stands for it
  std::vector<std::uint32_t> devices;  // likewise

  std::size_t channel(std::size_t number) const { return number < channels.size() ? channels[number] : number; }
  // The rank that stands for it.
  int home(int rank) const {
    if (!is_mirrored)
      return rank % ranks;
    const int at = rank % (2 * ranks);
    return at < ranks ? at : 2 * ranks - 1 - at;
  }
  // The image of the rank where the first ones become those of that number; 0: themselves.
  int image(int rank, int number) const {
    const bool is_turned = is_mirrored && number % 2 != 0;
    const int seen = is_turned ? (number + 1) * ranks - 1 - rank : number * ranks + rank;
    return seen < 0 ? seen + of : seen < of ? seen : seen - of;
  }
  // The rank as seen from that which stands for `other`, where this one sees `rank`.
  int seen_from_home(int rank, int other) const {
    const bool is_turned = is_mirrored && other % (2 * ranks) >= ranks;
    const int seen = is_turned ? home(other) + other - rank : home(other) - other + rank;
    return seen < 0 ? seen + of : seen < of ? seen : seen - of;
  }
};

// The one with the fewest ranks; none if there is none. It shifts by a multiple of `step`, and mirrors if it may; then
// none where NICs take turns with messages. It looks at the ways between all devices, of messages that the sender
// sends.
std::optional<Shift> find_shift(const WayTable& ways, Topology& topology, int step, bool may_mirror);

} // namespace kakehashi
