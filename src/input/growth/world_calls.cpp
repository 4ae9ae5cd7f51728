#include "input/growth/call_loops.hpp"

#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <cmath>

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

double power_through(const std::vector<NumberOfRanks>& points) {
  double count = 0, x = 0, y = 0;
  for (const auto& [ranks, number] : points)
    if (number > 0) {
      ++count;
      x += std::log(ranks);
      y += std::log(number);
    }
  double xx = 0, xy = 0;
  for (const auto& [ranks, number] : points)
    if (number > 0) {
      const double distance = std::log(ranks) - x / count;
      xx += distance * distance;
      xy += distance * (std::log(number) - y / count);
    }
  return xx > 0 ? xy / xx : 0;
}

namespace {

// Sums do not depend on the order of calls between two collective calls, which may depend on the arrival of messages.
class WorldCallCounter {
public:
  WorldCallCounter(const SurveyedSize& size, std::vector<WorldCall>& calls) : size_(size), calls_(calls) {}

  void add(int rank, const TraceEvent& event) {
    for (const auto& part : parts_of(event)) {
      const auto line = size_.lines.empty() ? GridLine{} : size_.lines[part.context % size_.lines.size()];
      auto own = hash_of_numbers(event.what.index(), part.tag, line.turn, line.along);
      if (const auto* call = std::get_if<CollectiveEvent>(&event.what))
        own = hash_with(own, static_cast<std::int64_t>(call->collective));
      all_ += hash_with(hash_with(own, part.peer.value_or(-1)), static_cast<std::int64_t>(part.context));
      open_ += open_by(rank, part, std::holds_alternative<RemoteEvent>(event.what));
      if (rank == 0)
        first_ +=
            part.peer ? hash_with(own, static_cast<std::int64_t>(relation_of(size_.grid, rank, *part.peer))) : own;
    }
    if (const auto* call = std::get_if<CollectiveEvent>(&event.what); call && is_world_call(*call, size_))
      end_call(rank);
  }
  std::size_t calls() const { return turn_; } // the rank's calls so far

private:
  static std::uint64_t open_by(int rank, const CallPart& part, bool is_remote) {
    if (!part.peer || is_remote)
      return 0;
    const auto message = hash_of_numbers(part.is_message ? rank : *part.peer, part.is_message ? *part.peer : rank,
                                         part.tag, part.context);
    return part.is_message ? message : 0 - message;
  }
  void end_call(int rank) {
    if (turn_ == calls_.size())
      calls_.emplace_back();
    calls_[turn_].all += hash_with(hash_with(hash_of_nothing, rank), static_cast<std::int64_t>(all_));
    calls_[turn_].first += first_;
    calls_[turn_].open += open_;
    ++turn_;
    all_ = first_ = open_ = 0;
  }

  const SurveyedSize& size_;
  std::vector<WorldCall>& calls_;
  std::size_t turn_ = 0;
  std::uint64_t all_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t open_ = 0;
};

} // namespace

bool is_world_call(const CollectiveEvent& call, const SurveyedSize& size) {
  return size.lines.empty() || ranks_along(size.grid, size.lines[call.communicator]) == size.grid.ranks();
}

std::vector<WorldCall> world_calls_of(const SurveyedSize& size) {
  std::vector<WorldCall> calls;
  for (int rank = 0; rank < size.grid.ranks(); ++rank) {
    WorldCallCounter counter(size, calls);
    const auto stream = size.recording.source->open(rank);
    while (const auto* event = stream->next())
      counter.add(rank, *event);
    if (counter.calls() != calls.size())
      return {};
  }
  return calls;
}

} // namespace kakehashi
