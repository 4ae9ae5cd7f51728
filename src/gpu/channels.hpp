// What NCCL sees of GPUs → its channels: rings inside nodes, how many run at once, and the rate that each gets.
#pragma once

#include "gpu/system.hpp"

#include <map>

namespace kakehashi {

// The search's result as the tuner counts it.
struct GpuGraph {
  std::vector<std::vector<int>> rings; // orders of the GPUs of a node; a channel takes one of them
  double inside = 0;                   // GB/s of all channels together, inside nodes
  double between = 0;                  // at the borders of nodes; of one node: `inside`
  int found = 0;                       // channels that the search found
  int channels = 0;                    // channels that run
};
GpuGraph search_channels(const GpuSystem& system);

// The way of a channel's ring through its first node, and where it leaves it:
// "node0.gpu0 -> gpu1 -> gpu3, out by nic0, and so on through 4 nodes".
std::string ring_text(const GpuSystem& system, const GpuGraph& graph, std::size_t channel);

// The rate of each channel if all move equal bytes at the same time, and the link that limits it.
struct ChannelRate {
  BytesPerSecond rate;
  std::string limit;
  std::string fault = {}; // two GPUs have no way; empty: all have
};
// `inside` and `between`: the part of the rate of links that the protocol's data get.
struct Shares {
  double inside = 1;
  double between = 1;
};
ChannelRate rate_of(const GpuSystem& system, const GpuGraph& graph, GpuPattern pattern, int channels, Shares shares);

// The bytes on each channel of the topology for one byte of each channel of the library.
std::map<std::size_t, double> loads_of(const GpuSystem& system, const GpuGraph& graph, GpuPattern pattern,
                                       int channels);

} // namespace kakehashi
