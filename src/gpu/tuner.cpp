#include "gpu/tuner.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using enum GpuAlgorithm;

// The numbers of one call, as the library's model has them. Rates are in GB/s.
class Model {
public:
  Model(const GpuSystem& system, const GpuGraph& graph, GpuOperation operation, Bytes size)
      : system_(system), graph_(graph), release_(*system.release), generation_(*system.generation),
        operation_(operation), size_(static_cast<double>(size.count)), ranks_(static_cast<double>(system.ranks.size())),
        nodes_(static_cast<double>(system.node_count())) {}

  Seconds time(GpuAlgorithm algorithm, GpuProtocol protocol) const {
    double rate = rate_of(algorithm, protocol);
    auto latency = latency_of(algorithm, protocol);
    if (algorithm == tree)
      rate *= tree_factor(protocol);
    const double of_channel = size_ / (graph_.channels * ranks_);
    if (algorithm == ring && protocol == GpuProtocol::simple && nodes_ > 1 && operation_ == GpuOperation::allreduce &&
        of_channel >= 64)
      latency = (generation_.tuner_row < 1 ? 1.9 : 1.4) * latency;
    return latency + Seconds{size_ / (rate * 1e9)};
  }

private:
  std::size_t p(GpuProtocol protocol) const { return static_cast<std::size_t>(protocol); }
  bool is_one_node() const { return nodes_ == 1; }
  std::size_t column() const { return is_one_node() ? 0 : nodes_ == 2 ? 1 : 2; }

  double steps() const {
    switch (operation_) {
    case GpuOperation::allreduce: return 2 * (ranks_ - 1);
    case GpuOperation::allgather:
    case GpuOperation::reducescatter: return ranks_ - 1;
    default: return ranks_;
    }
  }

  // On one node the limit of LL depends on the GPU, else on the processor, whose rows the table has under other names.
  double ll_most() const {
    const auto& generations = system_.library->generations;
    const int row = is_one_node() ? generation_.tuner_row : system_.is_intel ? 0 : 1;
    const int known = release_.tells_hopper ? row : std::min(row, 1);
    for (const auto& each : generations)
      if (each.links == "nvlink" && each.tuner_row == known)
        return each.ll_most[column()];
    return generation_.ll_most[column()];
  }

  double of_node() const { return static_cast<double>(system_.nodes.front().size()); }
  bool is_sum_to_all() const { return operation_ == GpuOperation::allreduce; }

  double nvls_rate(bool is_tree) const {
    const double channels = generation_.nvls_channels;
    const double between = is_one_node() ? 1e30 : graph_.between;
    if (release_.nvls_ratio > 0)
      return std::min(graph_.inside, is_tree && nodes_ > 2 ? between / 2 : between) *
             (is_sum_to_all() ? release_.nvls_ratio : (of_node() - 1) / of_node());
    const double inside = graph_.inside * generation_.nvls_efficiency * (channels - 1) / channels *
                          (is_sum_to_all() ? 2 : (of_node() - 1) / of_node());
    return std::min(inside, (is_tree && nodes_ == 2 ? 2 : 1) * between) * (is_sum_to_all() ? ranks_ / steps() : 1);
  }

  // Chains and trees have the rate inside nodes, which the search makes at most twice that between them.
  double rate_inside() const {
    return std::min(graph_.inside,
                    (system_.has_switch ? release_.two_node_tree_switch : release_.two_node_tree) * graph_.between);
  }

  double collnet_rate(GpuAlgorithm algorithm) const {
    if (algorithm == collnet_chain)
      return rate_inside() * release_.chain_share / 2;
    const auto rails = static_cast<double>(system_.rails.size());
    if (!is_sum_to_all())
      return of_node() * std::min(rate_inside(), 0.9 * graph_.between) / rails;
    const double ratio = of_node() / rails;
    return rate_inside() / (ratio - (ratio - 1) / 2) * (generation_.nvls_efficiency > 0 ? 0.85 : 1) / 2;
  }

  // Channels of the search, of which each runs twice. Between nodes up to four that are fast count as two each.
  double searched() const {
    constexpr double fast = 25; // GB/s
    const bool are_halves = !is_one_node() && graph_.found <= 4 && graph_.between >= fast * graph_.found;
    return are_halves ? 2 * graph_.found : graph_.channels / 2.0;
  }

  // Of the vector, not of the bus.
  double rate_of(GpuAlgorithm algorithm, GpuProtocol protocol) const {
    if (algorithm == nvls || algorithm == nvls_tree)
      return nvls_rate(algorithm == nvls_tree);
    if (algorithm == collnet_direct || algorithm == collnet_chain)
      return collnet_rate(algorithm);
    if (algorithm == pat)
      return 0.75 * graph_.between;
    const double channels = searched();
    const double most = release_.limits_bus && generation_.bus_most > 0 ? generation_.bus_most : 1e30;
    double rate = std::min(graph_.between, most);
    if (algorithm == ring) {
      const bool is_gather = is_one_node() && !has_sum(operation_);
      if (protocol == GpuProtocol::ll)
        rate = std::min(ll_most(), rate * (is_gather ? release_.ll_share_gather : release_.ll_share));
      else if (protocol == GpuProtocol::ll128)
        rate = std::min(0.92 * rate, channels * generation_.ll128_ring[column()]);
      return rate * ranks_ / steps();
    }
    if (nodes_ == 2)
      rate = std::min(rate_inside(), most);
    rate = std::min(0.92 * rate, channels * generation_.tree_most[column()]);
    if (protocol == GpuProtocol::ll)
      rate = std::min(rate / 3.8, ll_most());
    else if (protocol == GpuProtocol::ll128)
      rate = std::min(rate * (is_one_node() ? 7.0 / 9 : 120.0 / 128), channels * generation_.ll128_tree[column()]);
    return rate / 2;
  }

  const TunerLatencies& inside() const { return system_.is_linked() ? release_.nvlink : release_.pcie; }

  Seconds latency_of(GpuAlgorithm algorithm, GpuProtocol protocol) const {
    constexpr auto arity = microseconds(0.4); // for each further GPU of a node
    const auto log_nodes = std::floor(std::log2(nodes_));
    const auto& net = release_.network;
    switch (algorithm) {
    case tree:
      return release_.base.tree[p(protocol)] +
             2 * ((of_node() - 1) * hop_inside(inside().tree, protocol) + log_nodes * net.tree[p(protocol)]);
    case ring: return release_.base.ring[p(protocol)] + ring_latency(protocol);
    case nvls: return release_.base.nvls + inside().nvls + (is_one_node() ? Seconds{} : net.nvls);
    case nvls_tree: return release_.base.nvls_tree + inside().nvls_tree + 2 * log_nodes * net.nvls_tree;
    case collnet_chain: return 2 * (of_node() - 1) * inside().collnet_chain + net.collnet_chain;
    case collnet_direct:
      return 2 * (std::min(1.0, of_node() - 1) * inside().collnet_direct + (of_node() - 1) * arity) +
             net.collnet_direct;
    case pat: return release_.base.pat + log_nodes / 3.5 * net.pat + ranks_ * microseconds(2.8);
    }
    return {};
  }

  Seconds hop_inside(const PerProtocol<Seconds>& hops, GpuProtocol protocol) const {
    return (!is_one_node() && protocol == GpuProtocol::ll ? release_.ll_hop_factor : 1) * hops[p(protocol)];
  }

  Seconds ring_latency(GpuProtocol protocol) const {
    const auto& net = release_.network;
    if (is_rooted(operation_))
      return (is_one_node() ? inside() : net).ring[p(protocol)];
    auto within = hop_inside(inside().ring, protocol);
    if (!is_one_node() && release_.counts_posts)
      within = std::max(within, (protocol == GpuProtocol::simple ? 3.0 : 1.0) *
                                    (system_.is_intel ? system_.library->post_intel : system_.library->post_amd));
    const double borders = is_one_node() ? 0
                                         : (operation_ == GpuOperation::allreduce ? 2 : 1) *
                                               (release_.counts_all_borders && is_sum_to_all() ? nodes_ : nodes_ - 1);
    const auto& outside = system_.per_node == 1 ? net.tree : net.ring;
    return (steps() - borders) * within + borders * outside[p(protocol)];
  }

  double tree_factor(GpuProtocol protocol) const {
    const auto& factors = system_.library->tree_factors[p(protocol)];
    const auto count = static_cast<std::uint64_t>(size_) >> 6;
    const auto power = count > 0 ? static_cast<std::size_t>(std::bit_width(count) - 1) : factors.size();
    return power < factors.size() ? factors[power] : 1;
  }

  const GpuSystem& system_;
  const GpuGraph& graph_;
  const TunerRelease& release_;
  const GpuGeneration& generation_;
  GpuOperation operation_;
  double size_;
  double ranks_;
  double nodes_;
};

// What an algorithm asks of switches between nodes that add.
std::string collnet_refusal(const GpuSystem& system, GpuOperation operation, GpuAlgorithm algorithm,
                            const GpuWishes& wishes) {
  constexpr std::size_t most_gpus = 8;
  constexpr GpuRelease direct_gathers{2020}, nvls_gathers{2027};
  const auto name = algorithm == nvls ? "NVLS over several nodes" : name_of(gpu_algorithm_names, algorithm);
  const auto gpus = system.nodes.front().size();
  if (!system.adds)
    return fmt::format("{} needs switches that add (SHARP); \"sharp\" of the platform's network states that they do",
                       name);
  if (!wishes.has_collnet)
    return fmt::format("{} needs NCCL_COLLNET_ENABLE=1", name);
  if (static_cast<int>(system.node_count()) < wishes.collnet_nodes)
    return fmt::format("{} is for {} nodes or more (NCCL_COLLNET_NODE_THRESHOLD)", name, wishes.collnet_nodes);
  if (algorithm != nvls && gpus > most_gpus)
    return fmt::format("{} is for at most {} GPUs a node", name, most_gpus);
  if (algorithm == collnet_direct && !system.has_switch)
    return fmt::format("{} needs NVSwitches", name);
  if (operation == GpuOperation::allreduce)
    return "";
  if (algorithm == collnet_chain || system.version < (algorithm == nvls ? nvls_gathers : direct_gathers))
    return fmt::format("{} {} has no {} by {}", system.library->title, to_text(system.version),
                       name_of(gpu_operation_names, operation), name);
  return gpus > system.rails.size()
             ? fmt::format("{} by {} needs an adapter for each GPU", name_of(gpu_operation_names, operation), name)
             : "";
}

std::string nvls_refusal(const GpuSystem& system, GpuAlgorithm algorithm, GpuOperation operation) {
  const auto name = name_of(gpu_algorithm_names, algorithm);
  const auto& title = system.library->title;
  constexpr GpuRelease has_tree{2018};
  if (!system.release->has_nvls || (algorithm == nvls_tree && system.version < has_tree))
    return fmt::format("{} {} has no {}; it came with NCCL {}", title, to_text(system.version), name,
                       algorithm == nvls ? "2.17" : "2.18");
  if (!system.has_switch || system.generation->nvls_efficiency == 0)
    return fmt::format("{} needs NVSwitches of Hopper or later", name);
  if (algorithm == nvls_tree && system.node_count() == 1)
    return "NVLSTree is for several nodes";
  if (algorithm == nvls_tree && operation != GpuOperation::allreduce)
    return fmt::format("{} has no {} by NVLSTree", title, name_of(gpu_operation_names, operation));
  if (static_cast<int>(system.nodes.front().size()) < system.generation->nvls_least)
    return fmt::format("{} is not taken for fewer than {} GPUs a node (measured on 4 and 8)", name,
                       system.generation->nvls_least);
  return "";
}

// Why the library does not run an algorithm; empty: it does.
std::string refusal(const GpuSystem& system, GpuOperation operation, GpuAlgorithm algorithm, GpuProtocol protocol,
                    const GpuWishes& wishes) {
  const auto& title = system.library->title;
  const auto name = name_of(gpu_algorithm_names, algorithm);
  const auto call = name_of(gpu_operation_names, operation);
  if (operation == GpuOperation::alltoall || operation == GpuOperation::sendrecv)
    return fmt::format("{} runs {} as sends and receives, without an algorithm", title, call);
  if (std::ranges::count(system.library->lacks, algorithm) > 0)
    return fmt::format("{} has no {}", title, name);
  if (is_rooted(operation) && algorithm != ring)
    return fmt::format("{} runs {} by Ring only", title, call);
  if (algorithm == tree && operation != GpuOperation::allreduce)
    return fmt::format("{} has no {} by Tree", title, call);
  if (algorithm == pat && operation == GpuOperation::allreduce)
    return fmt::format("{} has no {} by PAT", title, call);
  if (algorithm == pat && !system.release->has_pat)
    return fmt::format("{} {} has no PAT; it came with 2.23", title, to_text(system.version));
  if (algorithm == pat && system.per_node != 1)
    return "PAT needs one GPU a node";
  if (algorithm == nvls || algorithm == nvls_tree)
    if (auto reason = nvls_refusal(system, algorithm, operation); !reason.empty())
      return reason;
  const bool is_collnet = algorithm == collnet_direct || algorithm == collnet_chain;
  if (is_collnet && !system.release->has_collnet)
    return fmt::format("{} {} has no {}; it came with NCCL 2.14", title, to_text(system.version), name);
  if (is_collnet && system.node_count() == 1)
    return fmt::format("{} is for several nodes", name);
  if (is_collnet || (algorithm == nvls && system.node_count() > 1))
    if (auto reason = collnet_refusal(system, operation, algorithm, wishes); !reason.empty())
      return reason;
  if (algorithm != ring && algorithm != tree && protocol != GpuProtocol::simple)
    return fmt::format("{} runs by Simple only", name);
  if (protocol == GpuProtocol::ll128 && !system.is_linked())
    return fmt::format("{} uses LL128 over NVLinks only", title);
  return "";
}

} // namespace

Result<Seconds> tuner_time(const GpuSystem& system, const GpuGraph& graph, GpuOperation operation, Bytes size,
                           GpuAlgorithm algorithm, GpuProtocol protocol, const GpuWishes& wishes) {
  if (const auto reason = refusal(system, operation, algorithm, protocol, wishes); !reason.empty())
    return run_error(reason);
  return Model(system, graph, operation, size).time(algorithm, protocol);
}

Result<TunedChoice> choose(const GpuSystem& system, const GpuGraph& graph, GpuOperation operation, Bytes size,
                           const GpuWishes& wishes) {
  if (const auto& borders = system.library->borders; !borders.empty() && !wishes.algorithm && !wishes.protocol) {
    const auto border = std::ranges::find_if(borders, [&](const GpuBorder& each) { return size < each.to; });
    const auto& row = border == borders.end() ? borders.back() : *border;
    const bool takes_tree = operation == GpuOperation::allreduce && system.node_count() > 1;
    const bool lacks = (row.protocol == GpuProtocol::ll128 && !system.is_linked()) ||
                       system.handicaps.lacks[static_cast<std::size_t>(row.protocol)];
    return TunedChoice{takes_tree ? row.between : ring, lacks ? GpuProtocol::simple : row.protocol, {}};
  }
  // LL128 needs writes of 128 B to arrive whole, which the library trusts no host to keep so.
  const bool is_doubtful = !wishes.protocol && !system.adapters_are_near;
  std::optional<TunedChoice> best;
  Errors reasons;
  for (std::size_t i = 0; i < gpu_algorithm_count; ++i)
    for (std::size_t j = 0; j < gpu_protocol_count; ++j) {
      const auto algorithm = static_cast<GpuAlgorithm>(i);
      const auto protocol = static_cast<GpuProtocol>(j);
      if (wishes.algorithm.value_or(algorithm) != algorithm || wishes.protocol.value_or(protocol) != protocol ||
          system.handicaps.lacks[j] || (is_doubtful && protocol == GpuProtocol::ll128))
        continue;
      if (algorithm == nvls || algorithm == nvls_tree)
        if (!wishes.has_nvls)
          continue;
      const auto time = tuner_time(system, graph, operation, size, algorithm, protocol, wishes);
      if (!time)
        reasons = time.errors();
      else if (!best || *time < best->time)
        best = {algorithm, protocol, *time};
    }
  if (best)
    return *best;
  if (reasons.empty())
    return run_error("no algorithm and protocol is left that may be taken");
  return reasons;
}

} // namespace kakehashi
