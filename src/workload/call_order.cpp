#include "workload/call_order.hpp"

#include "workload/call_times.hpp"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

// Returns 0 if ranks may state different sizes.
std::uint64_t agreed_bytes(const CollectiveEvent& event) {
  if (row_of(event.collective).has_private_sizes)
    return 0;
  return std::accumulate(event.sizes.begin(), event.sizes.end(), event.size.count);
}

std::string shown(Collective collective, int root, std::uint64_t bytes) {
  std::string text(row_of(collective).name);
  if (bytes > 0)
    text += fmt::format(" of {}", to_text(Bytes{bytes}));
  return has_root(collective) ? fmt::format("{} with root {}", text, root) : text;
}

} // namespace

std::optional<Error> CallOrder::make(int id, int rank, const CollectiveEvent& event, const std::string& file,
                                     const std::string& place) {
  assert(id >= 0 && static_cast<std::size_t>(id) < made_.size());
  const auto number = made_[static_cast<std::size_t>(id)]++;
  const auto bytes = agreed_bytes(event);
  if (number - first_ == calls_.size())
    calls_.push_back({event.collective, event.root, bytes, rank, file, place, 0});
  auto& call = calls_[number - first_];
  if (call.collective != event.collective || call.root != event.root || call.bytes != bytes)
    return input_error(
        file, place,
        fmt::format("rank {} calls {}, but rank {} calls {} ({}: {}) as its collective call number {}{} too", rank,
                    shown(event.collective, event.root, bytes), call.rank,
                    shown(call.collective, call.root, call.bytes), call.file, call.place, number + 1, where()));
  ++call.ranks;
  while (!calls_.empty() && calls_.front().ranks == made_.size()) {
    calls_.pop_front();
    ++first_;
  }
  return std::nullopt;
}

std::string CallOrder::where() const {
  return communicator_.empty() ? "" : fmt::format(" in {}", communicator_);
}

std::optional<Error> CallOrder::unfinished(const std::vector<int>& members) const {
  if (calls_.empty())
    return std::nullopt;
  const auto& call = calls_.front();
  const auto lacks = std::ranges::find(made_, first_);
  assert(lacks != made_.end());
  return input_error(call.file, call.place,
                     fmt::format("rank {} calls {} as its collective call number {}{}, but rank {} makes only {}",
                                 call.rank, shown(call.collective, call.root, call.bytes), first_ + 1, where(),
                                 members[static_cast<std::size_t>(lacks - made_.begin())], first_));
}

std::vector<std::string> communicator_names(const std::vector<RankGroup>& communicators) {
  std::vector<std::string> names{"world"};
  for (std::size_t i = 1; i < communicators.size(); ++i)
    names.push_back(communicators[i].name);
  return names;
}

Result<RecordedCalls> recorded_calls(const TraceSource& source, int ranks) {
  RecordedCalls calls;
  CallTimes times(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const auto stream = source.open(rank);
    while (const auto* event = stream->next()) {
      const auto* work = std::get_if<ElapseEvent>(&event->what);
      if (const auto* compute = std::get_if<ComputeEvent>(&event->what))
        calls.instructions += compute->work.value;
      times.add(rank, profiled(*event), work ? work->time : event->recorded, event->recorded, event->site,
                event->region);
    }
    if (const auto& fault = stream->fault())
      return *fault;
  }
  calls.profile = times.profile(communicator_names(source.communicators()));
  return calls;
}

} // namespace kakehashi
