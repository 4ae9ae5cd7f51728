#include "input/trace/gpu/group_calls.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// Every `stride`-th of `size` times `stride` ranks in a row, and all other groups of this kind.
struct GroupKind {
  int size = 1;
  int stride = 1;
  std::size_t first_place = 0; // first place of these groups in the new list

  int span() const { return size * stride; }
  int first_of(int rank) const {
    return rank / span() * span() + rank % stride;
  } // the first rank of the group with this rank
  std::size_t place_of(int rank) const {
    return first_place + static_cast<std::size_t>(rank / span() * stride + rank % stride);
  }
  // Returns the member of another rank's group that is to this rank as `peer` is to `rank`.
  int peer_of(int other, int rank, int peer) const {
    const int steps = (peer - rank) / stride + (other - first_of(other)) / stride;
    return first_of(other) + (steps % size + size) % size * stride;
  }
};

std::optional<GroupKind> kind_of(const RankGroup& group, int rank, int ranks) {
  const auto& members = group.members;
  GroupKind kind{static_cast<int>(members.size()), members.size() > 1 ? members[1] - members[0] : 1};
  if (kind.stride < 1 || ranks % kind.span() != 0)
    return std::nullopt;
  for (int i = 0; i < kind.size; ++i)
    if (members[static_cast<std::size_t>(i)] != kind.first_of(rank) + i * kind.stride)
      return std::nullopt;
  return kind;
}

// The kinds of groups that the rank is in, by their number in the old list.
using Kinds = std::vector<std::optional<GroupKind>>;

RankSchedule graph_of(int other, const RankSchedule& graph, int rank, const Kinds& kinds, bool tags_are_groups) {
  auto made = graph;
  for (auto& call : made.collectives)
    call.communicator = kinds[call.communicator]->place_of(other);
  for (auto& operation : made.operations) {
    if (!operation.peer)
      continue;
    const auto& kind = *kinds[tags_are_groups ? static_cast<std::size_t>(*operation.tag) : 0];
    operation.peer = kind.peer_of(other, rank, *operation.peer);
    if (tags_are_groups)
      operation.tag = static_cast<int>(kind.place_of(other));
  }
  return made;
}

} // namespace

Errors stand_for_all(Schedule& schedule, int rank, bool tags_are_groups) {
  const auto graph = std::move(schedule.ranks.front());
  const int ranks = static_cast<int>(schedule.communicators.front().members.size());
  constexpr std::size_t most_operations = 20'000'000; // 2 GB
  if (graph.operations.size() > most_operations / static_cast<std::size_t>(ranks))
    return {file_error(ErrorKind::input, schedule.file,
                       fmt::format("{} of {} are too many for one trace to stand for; at most 20 million together",
                                   counted(graph.operations.size(), "operation"),
                                   counted(static_cast<std::size_t>(ranks), "rank")))};
  Kinds kinds;
  std::vector<RankGroup> groups;
  for (const auto& group : schedule.communicators) {
    kinds.emplace_back();
    if (std::ranges::find(group.members, rank) == group.members.end())
      continue;
    auto& kind = kinds.back() = kind_of(group, rank, ranks);
    if (!kind)
      return {file_error(ErrorKind::input, schedule.file,
                         fmt::format("process group {} has the ranks {}, which are not every n-th in a row of {}, so "
                                     "this trace cannot stand for all",
                                     in_quotes(group.name), fmt::join(group.members, ", "),
                                     counted(static_cast<std::size_t>(ranks), "rank")))};
    kind->first_place = groups.size();
    for (int first = 0; first < ranks; ++first)
      if (kind->first_of(first) == first) {
        groups.push_back({group.name, {}});
        for (int i = 0; i < kind->size; ++i)
          groups.back().members.push_back(first + i * kind->stride);
      }
  }
  schedule.ranks.clear();
  for (int other = 0; other < ranks; ++other)
    schedule.ranks.push_back(graph_of(other, graph, rank, kinds, tags_are_groups));
  schedule.communicators = std::move(groups);
  return {};
}

} // namespace kakehashi
