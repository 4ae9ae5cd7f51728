#include "input/growth/rank_calls.hpp"

#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace kakehashi {
namespace {

CallPart part_of(const SendEvent& send) {
  return {send.to, send.tag, send.context, send.size.count, send.to.has_value()};
}
CallPart part_of(const ReceiveEvent& receive) {
  return {receive.from, receive.tag.value_or(-1), receive.context, 0, false};
}

class CallCounter {
public:
  explicit CallCounter(SurveyedSize& size) : size_(size) {
    size_.ranks.assign(static_cast<std::size_t>(size.grid.ranks()), {});
    size_.exchanges.assign(size_.ranks.size(), {});
  }

  void add(int rank, const TraceEvent& event) {
    auto& count = size_.ranks[static_cast<std::size_t>(rank)];
    count_event(event, count);
    for (const auto& part : parts_of(event)) {
      const auto pattern = pattern_of(rank, event, part);
      count.pattern += pattern;
      auto& order = std::holds_alternative<CollectiveEvent>(event.what) ? count.collectives : count.order;
      order = hash_with(order, static_cast<std::int64_t>(pattern));
      add_exchange(rank, event, part);
      if (part.is_message)
        count.bytes_to[relation_of(size_.grid, rank, *part.peer)] += part.bytes;
    }
  }

private:
  void add_exchange(int rank, const TraceEvent& event, const CallPart& part) {
    if (!part.peer || std::holds_alternative<RemoteEvent>(event.what))
      return;
    auto& exchange = size_.exchanges[static_cast<std::size_t>(rank)][*part.peer];
    const auto line = line_of(part);
    const auto pattern = hash_of_numbers(part.tag, line.turn, line.along);
    (part.is_message ? exchange.sent : exchange.received) += 1;
    (part.is_message ? exchange.sent_pattern : exchange.received_pattern) += pattern;
    exchange.any_tag |= !part.is_message && part.tag < 0;
  }

  GridLine line_of(const CallPart& part) const {
    return size_.lines.empty() ? GridLine{} : size_.lines[part.context % size_.lines.size()];
  }

  // Whether only this rank's list has all sizes.
  bool lists_all(int rank, const CollectiveEvent& call, const GridLine& line) const {
    if (call.collective != Collective::scatterv)
      return false;
    if (size_.lines.empty())
      return rank == call.root;
    const auto members = ranks_on(size_.grid, line, rank);
    const auto turn = static_cast<std::size_t>(call.root);
    return turn < members.size() && members[turn] == rank;
  }

  std::uint64_t pattern_of(int rank, const TraceEvent& event, const CallPart& part) const {
    const auto line = line_of(part);
    const auto pattern = hash_of_numbers(event.what.index(), part.tag, line.turn, line.along);
    if (const auto* call = std::get_if<CollectiveEvent>(&event.what))
      return hash_with(hash_with(pattern, static_cast<std::int64_t>(call->collective)), lists_all(rank, *call, line));
    return part.peer ? hash_with(pattern, static_cast<std::int64_t>(relation_of(size_.grid, rank, *part.peer)))
                     : pattern;
  }

  SurveyedSize& size_;
};

} // namespace

std::vector<CallPart> parts_of(const TraceEvent& event) {
  if (const auto* send = std::get_if<SendEvent>(&event.what))
    return {part_of(*send)};
  if (const auto* receive = std::get_if<ReceiveEvent>(&event.what))
    return {part_of(*receive)};
  if (const auto* both = std::get_if<SendReceiveEvent>(&event.what))
    return {part_of(both->send), part_of(both->receive)};
  if (const auto* remote = std::get_if<RemoteEvent>(&event.what))
    return {{remote->peer, 0, 0, remote->size.count, true}};
  if (const auto* call = std::get_if<CollectiveEvent>(&event.what))
    return {{std::nullopt, 0, call->communicator, call->size.count, false}};
  return {};
}

void count_event(const TraceEvent& event, RankCalls& rank) {
  rank.work += work_of(event);
  const auto parts = parts_of(event);
  rank.calls += !parts.empty();
  if (const auto* call = std::get_if<CollectiveEvent>(&event.what)) {
    const auto blocks = std::accumulate(call->sizes.begin(), call->sizes.end(), std::uint64_t{0});
    const auto count = std::max<std::size_t>(call->sizes.size(), 1);
    ++rank.collective_calls;
    rank.collective_bytes += call->size.count + blocks;
    rank.collective_sizes +=
        static_cast<double>(call->size.count) + static_cast<double>(blocks) / static_cast<double>(count);
  }
  for (const auto& part : parts) {
    rank.messages += part.is_message;
    rank.bytes += part.is_message ? part.bytes : 0;
  }
}

double work_of(const TraceEvent& event) {
  if (const auto* compute = std::get_if<ComputeEvent>(&event.what))
    return compute->work.value;
  const auto* elapse = std::get_if<ElapseEvent>(&event.what);
  return elapse && elapse->is_work ? elapse->time.value : 0;
}

void scale_work(TraceEvent& event, double factor) {
  if (auto* compute = std::get_if<ComputeEvent>(&event.what))
    compute->work.value *= factor;
  else if (auto* elapse = std::get_if<ElapseEvent>(&event.what); elapse && elapse->is_work)
    elapse->time.value *= factor;
  else if (auto* call = std::get_if<CollectiveEvent>(&event.what))
    call->work.value *= factor;
  else if (auto* work = std::get_if<DeviceWorkEvent>(&event.what))
    work->time.value *= factor;
}

void shift_works(TraceEvent& event, std::uint64_t shift) {
  const auto add_to = [shift](std::vector<std::uint64_t>& works) {
    for (auto& work : works)
      work += shift;
  };
  if (auto* work = std::get_if<DeviceWorkEvent>(&event.what)) {
    work->number += shift;
    add_to(work->after);
  } else if (auto* wait = std::get_if<DeviceWaitEvent>(&event.what)) {
    add_to(wait->works);
  }
}

// On an axis of two ranks both neighbours are the same rank, so sides make no difference.
std::size_t relation_of(const Grid& grid, int rank, int peer) {
  const auto step = step_between(grid, rank, peer);
  if (!step)
    return peer == 0 ? 8 : 9;
  std::size_t relation = 0;
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    relation |= ((*step)[axis] != 0 ? std::size_t{1} : 0) << axis;
  return relation;
}

int ranks_along(const Grid& grid, const GridLine& line) {
  int ranks = 1;
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    ranks *= line.along >> axis & 1 ? grid.extent[axis] : 1;
  return ranks;
}

int first_on(const Grid& grid, const GridLine& line, int rank) {
  auto place = grid.place_of(rank);
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    if (line.along >> axis & 1)
      place[axis] = 0;
  return grid.rank_of(place);
}

std::vector<int> ranks_on(const Grid& grid, const GridLine& line, int first) {
  std::vector<int> ranks;
  const auto start = grid.place_of(first_on(grid, line, first));
  auto end = start;
  for (std::size_t axis = 0; axis < grid_axes; ++axis)
    if (line.along >> axis & 1)
      end[axis] = grid.extent[axis] - 1;
  for (int z = start[2]; z <= end[2]; ++z)
    for (int y = start[1]; y <= end[1]; ++y)
      for (int x = start[0]; x <= end[0]; ++x)
        ranks.push_back(grid.rank_of({x, y, z}));
  std::ranges::sort(ranks);
  return ranks;
}

Result<SurveyedSize> survey_size(const RecordedSize& recording, std::size_t axes) {
  auto found = recorded_grid(recording, axes);
  if (!found)
    return found.errors();
  SurveyedSize size{recording, found->grid, std::move(found->lines), {}, {}};
  CallCounter counter(size);
  auto errors = read_all(recording, [&](int rank, const TraceEvent& event) { counter.add(rank, event); });
  return errors.empty() ? Result(std::move(size)) : errors;
}

} // namespace kakehashi
