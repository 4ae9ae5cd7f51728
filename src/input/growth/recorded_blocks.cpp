#include "input/growth/parts.hpp"

#include <algorithm>

namespace kakehashi {

RecordedBlocks::RecordedBlocks(const CollectiveEvent& call, const Grid& recorded, const Grid& grown,
                               const GridLine& line, int rank)
    : call_(call), recorded_(recorded), grown_(grown), rank_(rank), own_(stand_in(recorded, grown, rank)),
      members_(ranks_on(recorded, line, own_)) {
  if (call.collective == Collective::alltoallv)
    for (const auto member : members_)
      if (!step_between(recorded_, own_, member))
        far_.try_emplace(kind_of(recorded_, member), member);
}

// Blocks of an alltoallv go from one rank to another, so a neighbour's block is the recorded neighbour's. Any other
// member gets the block of a member that is no neighbour either, of the same kind if possible.
int RecordedBlocks::recorded_member(int member) const {
  const auto same = stand_in(recorded_, grown_, member);
  if (call_.collective != Collective::alltoallv)
    return same;
  if (const auto step = step_between(grown_, rank_, member))
    return neighbour(recorded_, own_, *step);
  const auto found = far_.find(kind_of(recorded_, same));
  return found != far_.end() ? found->second : far_.empty() ? same : far_.begin()->second;
}

std::uint64_t RecordedBlocks::of(int member) const {
  const auto found = std::ranges::lower_bound(members_, recorded_member(member));
  const auto turn = static_cast<std::size_t>(found - members_.begin());
  return turn < call_.sizes.size() ? call_.sizes[turn] : 0;
}

} // namespace kakehashi
