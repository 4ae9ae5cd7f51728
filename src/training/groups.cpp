#include "training/groups.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

constexpr std::size_t most_shapes = 8; // of groups along a dimension that are timed; others stand for them

int stride_of(const Layout& layout, Parallel dimension) {
  int stride = 1;
  for (const auto each : layout.order) {
    if (each == (dimension == Parallel::expert ? Parallel::data : dimension))
      break;
    stride *= layout.along(each);
  }
  return stride;
}

int rank_count(const Layout& layout) {
  return layout.tensor * layout.context * layout.data * layout.pipeline;
}

RankGroups pairs_of(const Layout& layout, Parallel dimension) {
  const int stride = stride_of(layout, dimension), size = layout.along(dimension);
  RankGroups pairs;
  for (int rank = 0; rank < rank_count(layout); ++rank)
    if (const int at = rank / stride % size; at % 2 == 0 && at + 1 < size)
      pairs.push_back({rank, rank + stride});
  return pairs;
}

std::string how_text(const GpuTime& time) {
  return time.algorithm ? fmt::format("{} {}", name_of(gpu_algorithm_names, *time.algorithm),
                                      name_of(gpu_protocol_names, time.protocol))
                        : fmt::format("send/recv {}", name_of(gpu_protocol_names, time.protocol));
}

} // namespace

RankGroups groups_of(const Layout& layout, Parallel dimension) {
  const int stride = stride_of(layout, dimension), size = layout.along(dimension);
  RankGroups groups;
  for (int rank = 0; rank < rank_count(layout); ++rank) {
    if (rank / stride % size != 0)
      continue;
    auto& group = groups.emplace_back();
    for (int i = 0; i < size; ++i)
      group.push_back(rank + i * stride);
  }
  return groups;
}

GpuJob::GpuJob(std::shared_ptr<const Platform> platform, std::shared_ptr<Topology> topology,
               std::vector<std::size_t> devices, GpuWishes wishes)
    : platform_(std::move(platform)), topology_(std::move(topology)), devices_(std::move(devices)),
      wishes_(std::move(wishes)) {
  std::map<std::size_t, std::size_t> ranks_on;
  for (const auto device : devices_) {
    const auto node = platform_->devices[device].node.value_or(platform_->nodes.size() + device);
    node_of_.push_back(node);
    most_per_node_ = std::max(most_per_node_, ++ranks_on[node]);
  }
  node_count_ = ranks_on.size();
}

// The adapter that each GPU of a node is next to when all of the node's GPUs send, by its place among them.
double GpuJob::sharing_of(const RankGroups& all, const std::vector<int>& group, const GpuSystem& system) {
  const auto node_of = [&](int rank) { return node_of_[static_cast<std::size_t>(rank)]; };
  const auto home = node_of(group.front());
  const bool leaves = system.node_count() > 1;
  if (!leaves && system.inside != GpuWay::host)
    return 1;
  std::vector<int> here;
  std::map<int, std::set<std::size_t>> groups_at; // by rank: groups that it is in
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_alike = std::ranges::any_of(all[i], [&](int rank) { return node_of(rank) != node_of(all[i][0]); });
    for (const int rank : all[i])
      if (node_of(rank) == home && is_alike == leaves) {
        if (groups_at.emplace(rank, std::set<std::size_t>{}).second)
          here.push_back(rank);
        groups_at[rank].insert(i);
      }
  }
  if (!leaves) { // through the host's memory, which all of them share
    std::set<std::size_t> groups;
    for (const auto& [rank, numbers] : groups_at)
      groups.insert(numbers.begin(), numbers.end());
    return std::max(1.0, static_cast<double>(groups.size()));
  }
  std::vector<std::size_t> devices;
  for (const int rank : here)
    devices.push_back(devices_[static_cast<std::size_t>(rank)]);
  const auto far = std::ranges::find_if(group, [&](int rank) { return node_of(rank) != home; });
  if (far == group.end())
    return 1;
  devices.push_back(devices_[static_cast<std::size_t>(*far)]);
  const auto whole = gpu_system(platform_, topology_, devices, wishes_);
  if (!whole)
    return 1;
  std::map<int, std::set<std::size_t>> groups_by_rail;
  for (std::size_t i = 0; i < here.size(); ++i)
    groups_by_rail[whole->ranks[i].rail].insert(groups_at[here[i]].begin(), groups_at[here[i]].end());
  std::size_t most = 1;
  for (const auto& [rail, groups] : groups_by_rail)
    most = std::max(most, groups.size());
  return static_cast<double>(most);
}

Result<GpuJob::Group> GpuJob::group_of(const RankGroups& all, std::size_t number) {
  std::vector<std::size_t> devices;
  for (const int rank : all[number])
    devices.push_back(devices_[static_cast<std::size_t>(rank)]);
  auto calls = gpu_collectives(platform_, topology_, devices, wishes_);
  if (!calls)
    return calls.errors();
  const auto& system = (*calls)->system();
  if (library_.empty()) {
    library_ = fmt::format("{} {}", system.library->title, to_text(system.version));
    notes_ = system.notes;
  }
  return Group{*calls, sharing_of(all, all[number], system)};
}

Result<const GpuJob::Groups*> GpuJob::groups(const Layout& layout, Parallel dimension, bool are_pairs) {
  const std::vector key{stride_of(layout, dimension), layout.along(dimension), are_pairs ? 1 : 0, rank_count(layout)};
  const auto found = groups_.find(key);
  if (found != groups_.end())
    return &found->second;
  const auto all = are_pairs ? pairs_of(layout, dimension) : groups_of(layout, dimension);
  Groups groups;
  std::set<std::vector<int>> shapes; // ranks of each node in turn
  for (std::size_t i = 0; i < all.size() && shapes.size() < most_shapes; ++i) {
    std::vector<int> shape{0};
    for (std::size_t j = 0; j < all[i].size(); ++j) {
      const auto node = [&](std::size_t at) { return node_of_[static_cast<std::size_t>(all[i][at])]; };
      if (j > 0 && node(j) != node(j - 1))
        shape.push_back(0);
      ++shape.back();
    }
    if (!shapes.insert(std::move(shape)).second)
      continue;
    auto group = group_of(all, i);
    if (!group)
      return group.errors();
    groups.push_back(std::move(*group));
  }
  return &groups_.emplace(key, std::move(groups)).first->second;
}

Result<StepCall> GpuJob::timed(const Layout& layout, Parallel dimension, bool are_pairs, GpuOperation operation,
                               double bytes) {
  StepCall slowest{dimension,
                   std::string(name_of(gpu_operation_names, operation)),
                   Bytes{static_cast<std::uint64_t>(std::ceil(bytes))},
                   1,
                   1,
                   1,
                   "",
                   "",
                   {},
                   0};
  if (layout.along(dimension) < 2 || bytes <= 0)
    return slowest;
  std::vector<double> key{static_cast<double>(stride_of(layout, dimension)),
                          static_cast<double>(layout.along(dimension)),
                          static_cast<double>(rank_count(layout)),
                          are_pairs ? 1.0 : 0.0,
                          static_cast<double>(operation),
                          bytes};
  if (const auto known = calls_.find(key); known != calls_.end()) {
    auto call = known->second;
    call.dimension = dimension;
    return call;
  }
  const auto found = groups(layout, dimension, are_pairs);
  if (!found)
    return found.errors();
  for (const auto& group : **found) {
    const auto time = group.calls->time(operation, slowest.size, wishes_);
    if (!time)
      return time.errors();
    const auto shared = time->start + time->hops + group.sharing * time->bytes;
    if (shared < slowest.time)
      continue;
    const auto& system = group.calls->system();
    slowest.ranks = system.ranks.size();
    slowest.nodes = system.node_count();
    slowest.sharing = group.sharing;
    slowest.how = how_text(*time);
    slowest.limit = time->limit;
    slowest.time = shared;
  }
  calls_.emplace(std::move(key), slowest);
  return slowest;
}

Result<StepCall> GpuJob::call(const Layout& layout, Parallel dimension, GpuOperation operation, double bytes) {
  return timed(layout, dimension, false, operation, bytes);
}

Result<StepCall> GpuJob::send(const Layout& layout, Parallel dimension, double bytes) {
  return timed(layout, dimension, true, GpuOperation::sendrecv, bytes);
}

} // namespace kakehashi
