#include "gpu/times.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace kakehashi {
namespace {

// A channel takes part once so many bytes are there for it: 8 B of each of 512 threads for LL (of each rank's block in
// a ring), 8 B of 640 threads less the flags for LL128, 64 B of 512 threads for Simple. Source: NCCL,
// src/graph/tuning.cc.
constexpr PerProtocol<double> bytes_for_channel{4096, 4800, 32768};
// The most bytes of a piece: an eighth of a channel's buffer for LL and LL128, less flags; four eighths for a ring by
// Simple, and one for a tree. Source: NCCL, src/enqueue.cc.
constexpr PerProtocol<double> tree_piece{16384, 69120, 131072};
constexpr double ring_piece = 2 << 20;
constexpr double tree_share = 0.92;     // of the adapters' rate, as NCCL's own model of costs has it
constexpr double nvls_piece = 32 << 20; // of all channels

using FindRate = std::function<ChannelRate(GpuPattern pattern, GpuProtocol protocol, Shares shares)>;

class Call {
public:
  Call(const GpuSystem& system, FindRate find_rate, GpuOperation operation, Bytes size, bool in_place, GpuTime& time)
      : system_(system), find_rate_(std::move(find_rate)), generation_(*system.generation), operation_(operation),
        in_place_(in_place), size_(static_cast<double>(size.count)), ranks_(static_cast<double>(system.ranks.size())),
        nodes_(static_cast<double>(system.node_count())), time_(time) {}

  void run() {
    time_.start = generation_.launch;
    if (system_.adapter)
      time_.start += system_.adapter->floor;
    if (!time_.algorithm)
      run_pairs();
    else if (is_collnet())
      run_collnet();
    else if (*time_.algorithm == GpuAlgorithm::nvls)
      run_nvls();
    else if (*time_.algorithm == GpuAlgorithm::tree || *time_.algorithm == GpuAlgorithm::nvls_tree)
      run_tree();
    else if (*time_.algorithm == GpuAlgorithm::pat)
      run_pat();
    else if (is_rooted(operation_))
      run_chain();
    else
      run_ring();
    time_.time = time_.start + time_.hops + time_.bytes;
  }

private:
  std::size_t protocol() const { return static_cast<std::size_t>(time_.protocol); }
  const GpuHop& hop() const { return generation_.hops[protocol()]; }
  bool is_simple() const { return time_.protocol == GpuProtocol::simple; }

  // Whether switches between nodes add.
  bool is_collnet() const {
    return *time_.algorithm == GpuAlgorithm::collnet_direct || *time_.algorithm == GpuAlgorithm::collnet_chain ||
           (*time_.algorithm == GpuAlgorithm::nvls && nodes_ > 1);
  }

  double inside_share() const {
    const bool is_shared = system_.inside == GpuWay::host && system_.nodes.front().size() > 2;
    return hop().share * (is_shared ? generation_.shared_host : 1);
  }
  Shares shares() const {
    const bool is_nvls = time_.algorithm == GpuAlgorithm::nvls;
    return {is_nvls ? generation_.nvls_share : inside_share(),
            system_.adapter ? system_.adapter->tree[protocol()].share : 1};
  }

  // Channels that have enough bytes to take part; between whole numbers it counts what others do meanwhile.
  double taking_part(bool is_ring) const {
    const double needed = bytes_for_channel[protocol()] * (is_ring && time_.protocol == GpuProtocol::ll ? ranks_ : 1);
    return std::clamp(size_ / needed, 1.0, static_cast<double>(time_.channels));
  }

  // All channels together move so many bytes from each rank to the next one.
  void moves(GpuPattern pattern, double bytes) {
    time_.pattern = pattern;
    time_.channel_bytes = bytes / time_.channels;
  }

  // Of a channel.
  double rate(GpuPattern pattern, double channels) {
    const auto found = find_rate_(pattern, time_.protocol, shares());
    time_.limit = found.limit;
    const double of_links = found.rate.value * time_.channels / channels;
    const double own = hop().channel.value;
    if (own > 0 && own < of_links)
      time_.limit = "the GPUs' blocks that copy";
    return own > 0 ? std::min(own, of_links) : of_links;
  }

  void run_ring() {
    const bool is_sum_to_all = operation_ == GpuOperation::allreduce;
    const double steps = is_sum_to_all ? 2 * (ranks_ - 1) : ranks_ - 1;
    const double borders = nodes_ > 1 ? std::min(steps, is_sum_to_all ? 2 * nodes_ : nodes_) : 0;
    const double channels = taking_part(true);
    moves(GpuPattern::ring, steps * size_ / ranks_);
    time_.start += hop().start;
    time_.hops = (steps - borders) * hop().hop;
    if (borders > 0)
      time_.hops += borders * system_.adapter->ring[protocol()];
    if (!is_simple()) {
      time_.bytes = Seconds{steps * size_ / ranks_ / channels / rate(GpuPattern::ring, channels)};
      return;
    }
    const double copies =
        system_.adapter || in_place_ ? 0 : generation_.copy_steps[static_cast<std::size_t>(operation_)];
    const double first = ring_piece * ranks_ * time_.channels;
    const double counted = size_ + generation_.fill * size_ * first / (size_ + first);
    time_.bytes = Seconds{(steps + copies) * counted / ranks_ / channels / rate(GpuPattern::ring, channels)};
  }

  void run_tree() {
    const double of_node = static_cast<double>(system_.nodes.front().size());
    const double levels = nodes_ > 1 ? std::max(1.0, std::log2(nodes_)) : 0;
    const double channels = taking_part(false);
    const double piece = std::min(size_ / channels, tree_piece[protocol()]);
    time_.start += (system_.adapter ? system_.adapter->start_share : 1) * hop().start;
    const double own = hop().channel.value;
    const bool is_nvls = *time_.algorithm == GpuAlgorithm::nvls_tree;
    time_.hops =
        is_nvls ? generation_.nvls_start : 2 * (of_node - 1) * (hop().hop + Seconds{own > 0 ? piece / own : 0});
    if (levels > 0) {
      const double granule = system_.adapter->granule;
      time_.hops +=
          2 * levels * (system_.adapter->tree[protocol()].hop + Seconds{granule > 0 ? piece / (granule * 1e9) : 0});
    }
    moves(GpuPattern::tree, size_);
    const double used = nodes_ > 1 ? tree_share : 1;
    time_.bytes = Seconds{size_ / channels / (used * rate(GpuPattern::tree, channels))};
  }

  // One GPU a node: the logarithm of nodes in hops; the share of the adapters' rate is that of NCCL's own model.
  void run_pat() {
    constexpr double share = 0.75;
    const double channels = taking_part(false);
    time_.start += hop().start;
    moves(GpuPattern::ring, (ranks_ - 1) / ranks_ * size_);
    time_.hops = std::ceil(std::log2(nodes_)) * system_.adapter->tree[protocol()].hop;
    time_.bytes = Seconds{(ranks_ - 1) / ranks_ * size_ / channels / (share * rate(GpuPattern::ring, channels))};
  }

  void run_nvls() {
    moves(GpuPattern::through_switch, size_);
    time_.hops = generation_.nvls_start;
    const double counted = size_ + generation_.nvls_fill * size_ * nvls_piece / (size_ + nvls_piece);
    time_.bytes = Seconds{counted / (generation_.nvls_share * system_.line.value)};
    time_.limit = "the NVLinks to the switch, which adds";
  }

  // Up and down run at once. No log shows what the switches take: that is the number of NCCL's own model.
  void run_collnet() {
    constexpr auto arity = microseconds(0.4); // for each further GPU of a node, as NCCL's own model has it
    const auto& network = system_.library->releases.back().network;
    const double further = static_cast<double>(system_.nodes.front().size()) - 1;
    const bool is_sum_to_all = operation_ == GpuOperation::allreduce;
    time_.start += hop().start;
    auto pattern = is_sum_to_all ? GpuPattern::collnet_direct : GpuPattern::collnet_gather;
    if (*time_.algorithm == GpuAlgorithm::nvls) {
      pattern = is_sum_to_all ? GpuPattern::collnet_nvls : GpuPattern::collnet_nvls_gather;
      time_.hops = generation_.nvls_start + network.nvls;
    } else if (*time_.algorithm == GpuAlgorithm::collnet_chain) {
      pattern = GpuPattern::collnet_chain;
      time_.hops = 2 * further * hop().hop + network.collnet_chain;
    } else {
      time_.hops =
          (is_sum_to_all ? 2 : 1) * (std::min(1.0, further) * hop().hop + further * arity) + network.collnet_direct;
    }
    moves(pattern, size_);
    const double channels = taking_part(false);
    time_.bytes = Seconds{size_ / channels / rate(pattern, channels)};
  }

  // Benchmarks call one after the other. Short calls overlap on their way along the chain: a call has passed on each
  // 4 KiB before the next hop may have more of it, as far as logs of Broadcast show.
  void run_chain() {
    constexpr double overlapped = 2048;
    constexpr PerProtocol<double> hop_share{0.5, 1, 1}; // by LL a hop passes each line on as it comes
    moves(GpuPattern::ring, size_);
    const double of_node = static_cast<double>(system_.nodes.front().size());
    const double channels = taking_part(true);
    constexpr PerProtocol<double> shown{1, 0.3, 0.65}; // of the start, the rest of which hides behind the call before
    time_.start += shown[protocol()] * hop().start;
    auto chain = nodes_ * (of_node - 1) * hop().hop;
    if (nodes_ > 1)
      chain += nodes_ * system_.adapter->ring[protocol()];
    time_.hops = std::min(1.0, size_ / overlapped / nodes_) * hop_share[protocol()] * chain;
    time_.bytes = Seconds{size_ / channels / rate(GpuPattern::ring, channels)};
  }

  // Sends and receives between each two, or to the next rank: LL up to 16 KiB a peer, then Simple.
  void run_pairs() {
    constexpr double most_of_ll = 16384;
    const auto& pairs = generation_.pairs;
    const bool is_alltoall = operation_ == GpuOperation::alltoall;
    const double peers = is_alltoall ? ranks_ - 1 : 1;
    const double block = is_alltoall ? size_ / ranks_ : size_;
    time_.protocol = block <= most_of_ll ? GpuProtocol::ll : GpuProtocol::simple;
    time_.start += pairs.start + std::clamp(block / (4 * most_of_ll), 0.0, 1.0) * pairs.simple;
    time_.hops = generation_.hops[0].hop + (peers - 1) * pairs.peer;
    double between = 1;
    if (system_.adapter) {
      const auto& remote = system_.adapter->pairs;
      const double remote_peers = is_alltoall ? ranks_ * (1 - 1 / nodes_) : 0;
      time_.hops += system_.adapter->ring[protocol()] + remote_peers * remote.peer;
      if (is_alltoall && block <= static_cast<double>(remote.short_to.count))
        time_.start += remote.short_ones;
      between = is_alltoall && remote.share ? *remote.share : system_.adapter->tree[2].share;
    }
    moves(is_alltoall ? GpuPattern::all_to_all : GpuPattern::ring, size_);
    const auto found =
        find_rate_(time_.pattern, GpuProtocol::simple, {pairs.share * (inside_share() / hop().share), between});
    time_.limit = found.limit;
    const double copies = is_alltoall && !in_place_ ? 1 + pairs.copies / peers : 1;
    time_.bytes = Seconds{copies * size_ / (found.rate.value * time_.channels)};
  }

  const GpuSystem& system_;
  FindRate find_rate_;
  const GpuGeneration& generation_;
  GpuOperation operation_;
  bool in_place_;
  double size_;
  double ranks_;
  double nodes_;
  GpuTime& time_;
};

} // namespace

GpuCollectives::GpuCollectives(GpuSystem system, const GpuWishes& wishes)
    : system_(std::move(system)), graph_(search_channels(system_, wishes.cross_nic)) {}

std::vector<double> GpuCollectives::link_bytes(const std::vector<GpuTime>& calls) const {
  std::vector<double> bytes(system_.topology->channels().size());
  for (std::size_t i = 0; i < gpu_pattern_count; ++i) {
    const auto pattern = static_cast<GpuPattern>(i);
    double moved = 0;
    for (const auto& call : calls)
      moved += call.pattern == pattern ? call.channel_bytes * call.channels : 0;
    if (moved > 0)
      for (const auto& [channel, load] : loads_of(system_, graph_, pattern, graph_.channels))
        bytes[channel] += load * moved / graph_.channels;
  }
  return bytes;
}

BytesPerSecond GpuCollectives::link_limit() const {
  if (system_.ranks.size() < 2)
    return {};
  return graph_.channels * rate_of(system_, graph_, GpuPattern::ring, graph_.channels, {}).rate;
}

Result<GpuTime> GpuCollectives::time(GpuOperation operation, Bytes size, const GpuWishes& wishes) const {
  GpuTime time;
  time.channels = wishes.channels ? std::min(*wishes.channels, graph_.channels) : graph_.channels;
  if (system_.ranks.size() == 1) {
    time.start = time.time = system_.generation->launch;
    time.limit = "nothing";
    return time;
  }
  if (operation != GpuOperation::alltoall && operation != GpuOperation::sendrecv) {
    const auto chosen = choose(system_, graph_, operation, size, wishes);
    if (!chosen)
      return chosen.errors();
    time.algorithm = chosen->algorithm;
    time.protocol = chosen->protocol;
    if (chosen->time.value > 0)
      time.tuner = chosen->time;
  }
  std::string fault;
  const auto find_rate = [&](GpuPattern pattern, GpuProtocol protocol, Shares shares) {
    const std::pair key{pattern, static_cast<std::size_t>(protocol)};
    auto found = rates_.find(key);
    if (found == rates_.end())
      found = rates_.emplace(key, rate_of(system_, graph_, pattern, graph_.channels, shares)).first;
    auto rate = found->second;
    if (fault.empty())
      fault = rate.fault;
    rate.rate = (static_cast<double>(graph_.channels) / time.channels) * rate.rate;
    return rate;
  };
  Call(system_, find_rate, operation, size, wishes.in_place, time).run();
  if (!fault.empty())
    return run_error(fault);
  return time;
}

std::vector<GpuCandidate> GpuCollectives::candidates(GpuOperation operation, Bytes size,
                                                     const GpuWishes& wishes) const {
  std::vector<GpuCandidate> found;
  if (system_.ranks.size() == 1 || operation == GpuOperation::alltoall || operation == GpuOperation::sendrecv)
    return found;
  for (std::size_t i = 0; i < gpu_algorithm_count; ++i)
    for (std::size_t j = 0; j < gpu_protocol_count; ++j) {
      auto forced = wishes;
      forced.algorithm = static_cast<GpuAlgorithm>(i);
      forced.protocol = static_cast<GpuProtocol>(j);
      if (system_.handicaps.lacks[j] || wishes.algorithm.value_or(*forced.algorithm) != *forced.algorithm ||
          wishes.protocol.value_or(*forced.protocol) != *forced.protocol)
        continue;
      auto& each = found.emplace_back(GpuCandidate{*forced.algorithm, *forced.protocol, {}, {}, ""});
      const auto call = time(operation, size, forced);
      if (!call) {
        each.refusal = call.errors().front().message;
        continue;
      }
      each.time = call->time;
      if (system_.library->borders.empty())
        each.tuner = call->tuner;
    }
  return found;
}

Result<std::shared_ptr<const GpuCollectives>> gpu_collectives(std::shared_ptr<const Platform> platform,
                                                              std::shared_ptr<Topology> topology,
                                                              const std::vector<std::size_t>& devices,
                                                              const GpuWishes& wishes, const GpuHandicaps& handicaps) {
  auto system = gpu_system(std::move(platform), std::move(topology), devices, wishes, handicaps);
  if (!system)
    return system.errors();
  return std::make_shared<const GpuCollectives>(std::move(*system), wishes);
}

} // namespace kakehashi
