#include "workload/collective/group.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace kakehashi {

namespace {

bool share_memory(const std::vector<int>& members, std::span<const int> memory_of_rank) {
  const auto memory = [&](int rank) { return memory_of_rank[static_cast<std::size_t>(rank)]; };
  return members.size() > 1 &&
         std::ranges::all_of(members, [&](int rank) { return memory(rank) == memory(members.front()); });
}

} // namespace

Group make_group(std::vector<int> members, std::span<const int> node_of_rank, std::span<const NodePoint> point_of_rank,
                 std::span<const int> memory_of_rank) {
  const auto memories = memory_of_rank.empty() ? node_of_rank : memory_of_rank;
  Group group;
  group.members = std::move(members);
  group.box = make_box(group.members, point_of_rank);
  std::unordered_map<int, int> index; // node → index into group.nodes
  Group leaders;
  for (const int rank : group.members) {
    const auto [at, is_new] =
        index.emplace(node_of_rank[static_cast<std::size_t>(rank)], static_cast<int>(index.size()));
    if (is_new) {
      group.nodes.emplace_back();
      leaders.members.push_back(rank);
    }
    auto& node = group.nodes[static_cast<std::size_t>(at->second)];
    group.node_of.push_back(at->second);
    group.place_in_node.push_back(node.size());
    node.members.push_back(rank);
  }
  group.shares_memory = share_memory(group.members, memories);
  for (auto& node : group.nodes) {
    node.shares_memory = share_memory(node.members, memories);
    node.most_on_a_node = node.size();
    group.most_on_a_node = std::max(group.most_on_a_node, node.size());
  }
  group.is_node_by_node = std::is_sorted(group.node_of.begin(), group.node_of.end());
  if (leaders.size() > 1 && leaders.size() < group.size())
    group.leaders = std::make_unique<Group>(std::move(leaders));
  else {
    group.nodes.clear();
    group.node_of.clear();
    group.place_in_node.clear();
  }
  return group;
}

Group make_world(std::span<const int> node_of_rank, std::span<const NodePoint> point_of_rank,
                 std::span<const int> memory_of_rank) {
  std::vector<int> all(node_of_rank.size());
  std::iota(all.begin(), all.end(), 0);
  return make_group(std::move(all), node_of_rank, point_of_rank, memory_of_rank);
}

} // namespace kakehashi
