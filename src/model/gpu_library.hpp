// A library of collectives between GPUs as its data file describes it (libraries/gpu): how its tuner chooses, and what
// its steps cost.
#pragma once

#include "model/gpu_call.hpp"
#include "model/source.hpp"

#include <vector>

namespace kakehashi {

// "2.27" as 2027.
struct GpuRelease {
  int number = 0;
  auto operator<=>(const GpuRelease&) const = default;
};
std::optional<GpuRelease> parse_gpu_release(std::string_view text); // "2.27", "2.27.3"; the patch does not count
std::string to_text(GpuRelease release);

// Latencies in the library's own model of costs, by protocol.
struct TunerLatencies {
  PerProtocol<Seconds> tree{};
  PerProtocol<Seconds> ring{};
  Seconds nvls;
  Seconds nvls_tree;
  Seconds collnet_direct;
  Seconds collnet_chain;
  Seconds pat;
};

// The model of costs of the releases from `from` to the next.
struct TunerRelease {
  GpuRelease from;
  TunerLatencies base;
  TunerLatencies nvlink;
  TunerLatencies pcie;
  TunerLatencies network;
  double ll_share = 0.5;           // of a ring's rate, in sums and between nodes
  double ll_share_gather = 0.5;    // of a ring's rate, in other operations inside a node
  double ll_hop_factor = 1;        // of hops inside nodes, in a job of several
  double two_node_tree = 1;        // rate of a tree over two nodes, in that of the adapters
  double two_node_tree_switch = 1; // likewise, where a switch joins the GPUs of a node
  bool counts_all_borders = false; // of a ring's Allreduce: a node is left twice as often as there are nodes
  bool counts_posts = true;        // hops inside nodes take at least as long as the proxy's post
  double nvls_ratio = 0;           // algorithm's over bus bandwidth; 0: as for a ring
  bool has_nvls = false;
  bool has_pat = false;
  bool has_collnet = false;
  bool limits_bus = false;  // to `bus_most` of the generation
  bool alternates = false;  // of rings that change the adapter: every second node changes it back
  double chain_share = 1;   // of the rate of CollNetChain
  bool tells_hopper = true; // whether its limit of LL knows Hopper
};

// What a step costs over one kind of links, by protocol.
struct GpuHop {
  Seconds start; // beyond that of LL's kernels
  Seconds hop;
  BytesPerSecond channel; // of one channel; 0: the links alone limit it
  double share = 1;       // of the links' rate
};

// Sends and receives between each two.
struct GpuPairs {
  Seconds start;     // beyond the launch
  Seconds simple;    // more, once blocks are long enough for Simple
  Seconds peer;      // each further peer
  double share = 1;  // of the links' rate
  double copies = 0; // blocks that the rank copies for itself
};

// How many channels run, where the library has no search but a list.
struct GpuChannels {
  std::size_t ranks = 0; // of a node; 0: any
  bool leaves = false;   // between nodes
  int channels = 0;
};

// GPUs that share the constants of the tuner and of the model.
struct GpuGeneration {
  std::string name;
  std::vector<std::string> gpus;
  std::string links;                 // "nvlink": those of these GPUs that have such links; "pcie": the others
  int tuner_row = 0;                 // in the library's tables
  BytesPerSecond link_rate;          // of one NVLink, as the tuner counts
  BytesPerSecond link_line;          // by data sheet
  std::vector<double> speeds_inside; // GB/s of a channel that its search tries
  std::vector<double> speeds_between;
  double splits_from = 25; // GB/s of a channel from which the search makes two of each
  int most_channels = 32;
  std::vector<GpuChannels> channels;  // the first that fits; none: those of the search
  double bus_most = 0;                // GB/s of all channels, as some releases count; 0: no limit
  std::array<double, 3> ll_most{};    // on one, two and more nodes, GB/s
  std::array<double, 3> ll128_ring{}; // of a channel
  std::array<double, 3> ll128_tree{};
  std::array<double, 3> tree_most{};
  double nvls_efficiency = 0; // 0: no NVLS
  int nvls_channels = 16;
  // The model of steps.
  Seconds launch;
  PerProtocol<GpuHop> hops{};
  std::array<double, gpu_operation_count> copy_steps{}; // steps that the rank's own copies take
  double fill = 0;                                      // bytes of the first loop count so much more
  double shared_host = 1; // part of the share that is left if three or more GPUs pass the host's memory
  Seconds nvls_start;
  double nvls_share = 0;
  double nvls_fill = 0;
  int nvls_least = 8; // GPUs of a node
  GpuPairs pairs;
  GpuRelease until; // the first release for which the row does not hold; 0: none
  Source source;
};

// What passes an adapter costs.
// Sends and receives of a call between many ranks of several nodes.
struct GpuRemotePairs {
  Seconds peer;                // for each peer in another node
  Seconds short_ones;          // what a call with short messages takes more
  Bytes short_to;              // the longest of these
  std::optional<double> share; // of the adapters' rate; none: as a tree by Simple
};
struct GpuAdapter {
  std::string name;
  std::vector<std::string> models; // words of adapters' models
  std::vector<std::string> links;  // types of links
  BytesPerSecond from_line;        // for lines from this rate on
  Seconds floor;                   // of a call that leaves a node: what the plug-in adds
  PerProtocol<GpuHop> tree{};
  PerProtocol<Seconds> ring{}; // hops
  double granule = 0;          // GB/s at which a tree's first piece goes on; 0: at once
  double start_share = 0;      // of the protocol's start that a tree pays
  GpuRemotePairs pairs{};
  Source source;
};

// A protocol up to some size, and the algorithm between nodes.
struct GpuBorder {
  Bytes to; // the first size beyond
  GpuProtocol protocol = GpuProtocol::simple;
  GpuAlgorithm between = GpuAlgorithm::ring;
};

struct GpuLibrary {
  std::string name; // "nccl"
  std::string title;
  GpuRelease usual;
  std::vector<TunerRelease> releases; // ascending
  std::vector<GpuGeneration> generations;
  std::vector<GpuAdapter> adapters; // the first that fits
  Seconds post_intel;
  Seconds post_amd;
  std::array<std::vector<double>, gpu_protocol_count> tree_factors{}; // by powers of two from 64 B on
  std::vector<GpuBorder> borders; // by size, in place of the tuner's model; empty: the model chooses
  std::vector<GpuAlgorithm> lacks;
  bool changes_adapter = false; // its rings leave nodes by another adapter than they enter them
  std::vector<std::string> not_modelled;
};

} // namespace kakehashi
