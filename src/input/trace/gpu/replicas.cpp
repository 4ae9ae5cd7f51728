#include "input/trace/gpu/group_calls.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kakehashi {
namespace {

int stride_of(const RankGroup& group) {
  return group.members.size() > 1 ? group.members[1] - group.members[0] : 0;
}

// The group of all ranks, and of those with calls and without messages the ones whose ranks are farthest from each
// other: tensor parallel ranks are neighbours, and stages send.
std::vector<bool> groups_of_replicas(const Schedule& schedule, bool tags_are_groups) {
  const auto count = schedule.communicators.size();
  std::vector<bool> calls(count), sends(count);
  for (const auto& rank : schedule.ranks) {
    for (const auto& call : rank.collectives)
      calls[call.communicator] = true;
    for (const auto& operation : rank.operations)
      if (operation.peer && operation.tag && tags_are_groups)
        sends[static_cast<std::size_t>(*operation.tag)] = true;
  }
  int farthest = 0;
  for (std::size_t i = 1; i < count; ++i)
    if (calls[i] && !sends[i])
      farthest = std::max(farthest, stride_of(schedule.communicators[i]));
  std::vector<bool> found(count);
  for (std::size_t i = 0; i < count; ++i)
    found[i] = i == 0 || (calls[i] && !sends[i] && farthest > 0 && stride_of(schedule.communicators[i]) == farthest);
  if (!found.empty() && farthest == 1) // neighbours: replicas only if they are all ranks
    for (std::size_t i = 1; i < count; ++i)
      found[i] = found[i] && schedule.communicators[i].members.size() == schedule.ranks.size();
  return found;
}

// What replicas have in common is divided among more of them.
void divide_call(CollectiveEvent& call, std::uint64_t copies) {
  if (row_of(call.collective).division == Division::equal_blocks)
    call.size.count = (call.size.count + copies - 1) / copies;
  if (call.sizes.empty())
    return;
  std::uint64_t all = 0;
  for (const auto size : call.sizes)
    all += size;
  call.sizes = call_in_group(call.collective, all, call.communicator, call.sizes.size() * copies).sizes;
}

} // namespace

Errors grow_replicas(DeviceTrace& trace, int copies, bool tags_are_groups) {
  auto& schedule = trace.schedule;
  const auto ranks = static_cast<int>(schedule.ranks.size());
  const auto is_common = groups_of_replicas(schedule, tags_are_groups);
  std::vector<RankGroup> groups;
  std::vector<std::size_t> first; // of each old group
  for (std::size_t i = 0; i < is_common.size(); ++i) {
    first.push_back(groups.size());
    for (int copy = 0; copy < copies; ++copy) {
      if (copy == 0 || !is_common[i])
        groups.push_back({schedule.communicators[i].name, {}});
      for (const int member : schedule.communicators[i].members)
        groups.back().members.push_back(copy * ranks + member);
    }
  }
  std::vector<RankSchedule> all;
  std::set<std::string> common;
  for (int copy = 0; copy < copies; ++copy)
    for (auto made : schedule.ranks) {
      const auto place_of = [&](std::size_t group) {
        return first[group] + (is_common[group] ? 0 : static_cast<std::size_t>(copy));
      };
      for (auto& call : made.collectives) {
        if (is_common[call.communicator]) {
          divide_call(call, static_cast<std::uint64_t>(copies));
          common.insert(schedule.communicators[call.communicator].name);
        }
        call.communicator = place_of(call.communicator);
      }
      for (auto& operation : made.operations) {
        if (operation.peer)
          *operation.peer += copy * ranks;
        if (operation.peer && operation.tag && tags_are_groups)
          operation.tag = static_cast<int>(place_of(static_cast<std::size_t>(*operation.tag)));
      }
      all.push_back(std::move(made));
    }
  if (common.empty())
    return {file_error(ErrorKind::input, schedule.file,
                       "no calls that replicas would make with each other: of all ranks, or of every n-th")};
  schedule.ranks = std::move(all);
  schedule.communicators = std::move(groups);
  trace.warnings.push_back(fmt::format("{}: {} recorded ranks as each of {} replicas, which call each other in process "
                                       "group {}; what is shared out there is divided among all",
                                       schedule.file, ranks, copies, fmt::join(common, ", ")));
  return {};
}

} // namespace kakehashi
