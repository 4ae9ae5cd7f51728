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
  bool crosses = false;                // rings leave a node by another adapter than they enter it
  bool alternates = false;             // and change it back in every second node
};
GpuGraph search_channels(const GpuSystem& system, CrossNic cross_nic);

// A ring's way through a node.
struct RingWay {
  std::vector<int> order; // the ranks
  int in = -1;            // the adapters: rails; -1: one node
  int out = -1;
};
// Each ring of a node goes with each rail: a lane.
std::size_t rails_of(const GpuSystem& system);
RingWay ring_way(const GpuSystem& system, const GpuGraph& graph, std::size_t node, std::size_t lane);

// A rank that has another adapter beside it hands what is for this rail to the rank next to it, over NVLink.
int handed_to(const GpuSystem& system, int rank, int rail);

// The way of a channel's ring through its first node, and where it leaves it:
// "node0.gpu0 -> gpu1 -> gpu3, out by nic0, and so on through 4 nodes".
std::string ring_text(const GpuSystem& system, const GpuGraph& graph, std::size_t channel);
// The way of a call that switches between nodes add.
std::string collnet_text(const GpuSystem& system, GpuAlgorithm algorithm);

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
