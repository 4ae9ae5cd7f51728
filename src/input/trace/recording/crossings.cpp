#include "input/trace/recording/crossings.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace kakehashi {
namespace {

constexpr Seconds never{std::numeric_limits<double>::infinity()};

} // namespace

PartCursor::PartCursor(const ReplayPart& part)
    : part_(part), begin_(!part.from                  ? Seconds{}
                          : part.from->region.empty() ? part.from->time
                                                      : never),
      end_(part.to && part.to->region.empty() ? part.to->time : never) {}

double PartCursor::share_of(const TraceEvent& event) {
  const auto comes_to = [&](const std::optional<PartBorder>& border) {
    return border && !border->region.empty() && is_in_region(event.region, border->region);
  };
  if (comes_to(part_.from))
    begin_ = std::min(begin_, time_);
  if (comes_to(part_.to))
    end_ = std::min(end_, time_);
  const bool is_there = part_.region.empty() || is_in_region(event.region, part_.region);
  const auto start = time_;
  if (const auto* elapse = std::get_if<ElapseEvent>(&event.what)) {
    time_ += elapse->time;
    const auto inside = std::min(time_, end_) - std::max(start, begin_);
    const bool is_whole = start >= begin_ && time_ <= end_;
    return !is_there || inside.value <= 0 ? 0 : is_whole ? 1 : inside / elapse->time;
  }
  const bool is_work = std::holds_alternative<ComputeEvent>(event.what);
  if (is_work || event.line != line_)
    is_in_ = is_there && start >= begin_ && start < end_;
  if (!is_work)
    line_ = event.line;
  time_ += event.recorded;
  return is_in_ ? 1 : 0;
}

void NumberRanges::add(std::uint64_t begin, std::uint64_t end) {
  assert(ranges_.empty() || begin >= ranges_.back().second);
  if (!ranges_.empty() && ranges_.back().second == begin)
    ranges_.back().second = end;
  else
    ranges_.emplace_back(begin, end);
}

bool NumberRanges::contains(std::uint64_t number) const {
  const auto next = std::ranges::upper_bound(ranges_, number, {}, &std::pair<std::uint64_t, std::uint64_t>::first);
  return next != ranges_.begin() && number < std::prev(next)->second;
}

void Crossings::add(const Calls& calls) {
  for (const auto& [sequence, numbers] : calls) {
    auto& changes = changes_[sequence];
    for (const auto& [begin, end] : numbers.all()) {
      ++changes[begin];
      --changes[end];
    }
  }
}

void Crossings::finish(const std::vector<std::size_t>& members) {
  constexpr int both_ends = 2;
  for (const auto& [sequence, changes] : changes_) {
    const bool is_collective = sequence.from < 0;
    const int all = is_collective ? static_cast<int>(members[sequence.context]) : both_ends;
    int count = 0;
    std::uint64_t begin = 0;
    for (const auto& [at, change] : changes) {
      if (count == all)
        whole_[sequence].add(begin, at);
      if (count == all)
        (is_collective ? whole_collectives_ : whole_messages_) += at - begin;
      else if (count > 0)
        (is_collective ? collectives_ : messages_) += at - begin;
      count += change;
      begin = at;
    }
  }
  changes_.clear();
}

bool Crossings::is_whole(const CallSequence& sequence, std::uint64_t number) const {
  const auto found = whole_.find(sequence);
  return found != whole_.end() && found->second.contains(number);
}

std::optional<CallNumbers::Numbered> CallNumbers::next(const SendEvent& send) {
  if (!send.to)
    return std::nullopt;
  return next(CallSequence{rank_, *send.to, send.context, send.tag}, sent_);
}

std::optional<CallNumbers::Numbered> CallNumbers::next(const ReceiveEvent& receive) {
  if (!receive.from)
    return std::nullopt;
  return next(CallSequence{*receive.from, rank_, receive.context, receive.tag.value_or(0)}, received_);
}

CallNumbers::Ends CallNumbers::next(const TraceEvent& event) {
  if (const auto* send = std::get_if<SendEvent>(&event.what))
    return {next(*send), std::nullopt};
  if (const auto* receive = std::get_if<ReceiveEvent>(&event.what))
    return {std::nullopt, next(*receive)};
  if (const auto* both = std::get_if<SendReceiveEvent>(&event.what))
    return {next(both->send), next(both->receive)};
  if (const auto* call = std::get_if<CollectiveEvent>(&event.what))
    return {next(CallSequence{-1, -1, call->communicator, 0}, sent_), std::nullopt};
  return {};
}

} // namespace kakehashi
