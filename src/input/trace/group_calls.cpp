#include "input/trace/group_calls.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

CollectiveEvent call_in_group(Collective collective, std::uint64_t size, std::size_t communicator, std::size_t members) {
  CollectiveEvent call;
  call.collective = collective;
  call.communicator = communicator;
  switch (row_of(collective).division) {
  case Division::none: break;
  case Division::listed_blocks:
    for (std::size_t i = 0; i < members; ++i)
      call.sizes.push_back(size / members + (i < size % members ? 1 : 0));
    break;
  case Division::equal_blocks:
    call.size = {collective == Collective::alltoall || collective == Collective::scatter
                     ? (size + members - 1) / members
                     : size};
    break;
  case Division::whole:
  case Division::own_block: call.size = {size}; break;
  }
  return call;
}

Errors check_group_calls(const Schedule& schedule, const std::string& file) {
  const auto calls_in = [](const RankSchedule& rank, std::size_t group) {
    std::vector<const CollectiveEvent*> calls;
    for (const auto& call : rank.collectives)
      if (call.communicator == group)
        calls.push_back(&call);
    return calls;
  };
  for (std::size_t group = 0; group < schedule.communicators.size(); ++group) {
    const auto& [name, members] = schedule.communicators[group];
    const auto wanted = calls_in(schedule.ranks[static_cast<std::size_t>(members.front())], group);
    for (const int rank : members) {
      const auto found = calls_in(schedule.ranks[static_cast<std::size_t>(rank)], group);
      const auto same = [](const CollectiveEvent* a, const CollectiveEvent* b) {
        return a->collective == b->collective && a->root == b->root && a->size == b->size &&
               (a->sizes == b->sizes || row_of(a->collective).has_private_sizes);
      };
      const auto [theirs, ours] = std::ranges::mismatch(wanted, found, same);
      if (theirs == wanted.end() && ours == found.end())
        continue;
      const auto name_of = [](auto at, const auto& calls) {
        return at == calls.end() ? "none"
                                 : fmt::format("{} of comm_size {}", row_of((*at)->collective).name,
                                               (*at)->sizes.empty() ? (*at)->size.count : (*at)->sizes.front());
      };
      return {file_error(ErrorKind::input, file,
                         fmt::format("call number {} in process group \"{}\" is {} of rank {}, but {} of rank {}",
                                     theirs - wanted.begin() + 1, name, name_of(theirs, wanted), members.front(),
                                     name_of(ours, found), rank))};
    }
  }
  return {};
}

} // namespace kakehashi
