#include "input/trace/gpu/group_calls.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kakehashi {

CollectiveEvent call_in_group(Collective collective, std::uint64_t size, std::size_t communicator,
                              std::size_t members) {
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
                                 : fmt::format("{} of {} B", row_of((*at)->collective).name,
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

Errors check_group_messages(const Schedule& schedule, const std::string& file) {
  struct Counts {
    std::size_t sent = 0;
    std::size_t received = 0;
  };
  std::map<std::tuple<int, int, int>, Counts> pairs; // source, target, tag
  for (int rank = 0; rank < static_cast<int>(schedule.ranks.size()); ++rank)
    for (const auto& operation : schedule.ranks[static_cast<std::size_t>(rank)].operations)
      if (operation.kind == ScheduledOperation::Kind::send)
        ++pairs[{rank, *operation.peer, *operation.tag}].sent;
      else if (operation.kind == ScheduledOperation::Kind::receive)
        ++pairs[{*operation.peer, rank, *operation.tag}].received;
  for (const auto& [ends, counts] : pairs)
    if (counts.sent != counts.received)
      return {file_error(ErrorKind::input, file,
                         fmt::format("rank {} sends {} to rank {} in process group \"{}\", which receives {}: these "
                                     "are different parts of the run",
                                     std::get<0>(ends), counted(counts.sent, "message"), std::get<1>(ends),
                                     schedule.communicators[static_cast<std::size_t>(std::get<2>(ends))].name,
                                     counts.received))};
  return {};
}

void FaultReasons::add(std::string place, std::string reason) {
  constexpr std::size_t most = 20;
  const auto known = std::ranges::find(reasons_, reason, &Reason::text);
  if (known != reasons_.end())
    ++known->others;
  else if (reasons_.size() < most)
    reasons_.push_back({std::move(reason), std::move(place)});
}

Errors FaultReasons::take(const std::string& file) const {
  Errors errors;
  for (const auto& [text, place, others] : reasons_)
    errors.push_back(input_error(
        file, place, others == 0 ? text : fmt::format("{} (and at {})", text, counted(others, "more " + noun_))));
  return errors;
}

} // namespace kakehashi
