#include "workload/replay.hpp"

#include "workload/call_order.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_told = 20;

// Compares the collective calls of all ranks; it reads the ranks in turn, so that few calls are kept.
class Comparison {
public:
  Comparison(const TraceSource& source, std::size_t ranks) : source_(source) {
    RankGroup world;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      world.members.push_back(static_cast<int>(rank));
      streams_.push_back(source.open(static_cast<int>(rank)));
    }
    groups_ = source.communicators();
    if (groups_.empty())
      groups_.push_back(world);
    for (std::size_t i = 0; i < groups_.size(); ++i)
      orders_.emplace_back(static_cast<int>(groups_[i].members.size()), i == 0 ? "" : groups_[i].name);
    is_wrong_.resize(groups_.size());
  }

  Errors run() {
    for (std::size_t going = streams_.size(); going > 0;) {
      going = 0;
      for (std::size_t rank = 0; rank < streams_.size(); ++rank)
        going += goes_on(static_cast<int>(rank));
    }
    for (const auto& stream : streams_)
      add_fault(stream->fault());
    for (std::size_t i = 0; i < orders_.size() && faults_.empty() && !source_.is_cut(); ++i)
      if (!is_wrong_[i])
        add_call(orders_[i].unfinished(groups_[i].members));
    return faults_.empty() ? calls_ : faults_;
  }

private:
  // Advances the rank to its next collective call; false if there is none.
  bool goes_on(int rank) {
    auto& stream = *streams_[static_cast<std::size_t>(rank)];
    while (const auto* event = stream.next())
      if (const auto* call = std::get_if<CollectiveEvent>(&event->what)) {
        compare(rank, *call, stream.file(), fmt::format("{} {}", stream.unit(), event->line));
        return true;
      }
    return false;
  }

  void compare(int rank, const CollectiveEvent& call, const std::string& file, const std::string& place) {
    const auto& members = groups_[call.communicator].members;
    const auto found = std::ranges::find(members, rank);
    if (is_wrong_[call.communicator] || found == members.end())
      return;
    const auto id = static_cast<int>(found - members.begin());
    const auto error = orders_[call.communicator].make(id, rank, call, file, place);
    is_wrong_[call.communicator] = error.has_value();
    add_call(error);
  }

  void add_call(std::optional<Error> error) {
    if (!error || calls_.size() >= most_told)
      return;
    error->message += source_.communicator_advice();
    calls_.push_back(std::move(*error));
  }
  void add_fault(const std::optional<Error>& fault) {
    // Several ranks may share a file.
    const auto is_same = [&](const Error& known) { return to_text(known) == to_text(*fault); };
    if (fault && faults_.size() < most_told && std::ranges::none_of(faults_, is_same))
      faults_.push_back(*fault);
  }

  const TraceSource& source_;
  std::vector<std::unique_ptr<EventStream>> streams_;
  std::vector<RankGroup> groups_;
  std::vector<CallOrder> orders_;
  std::vector<bool> is_wrong_;
  Errors faults_;
  Errors calls_;
};

} // namespace

Errors check_replay(const Replay& replay, std::size_t ranks) {
  return replay.source ? Comparison(*replay.source, ranks).run() : Errors{};
}

} // namespace kakehashi
