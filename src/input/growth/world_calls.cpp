#include "input/growth/call_loops.hpp"

namespace kakehashi {
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
  std::size_t calls() const { return turn_; } // of the rank so far

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
