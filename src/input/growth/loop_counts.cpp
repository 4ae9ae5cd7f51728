#include "input/growth/growth_parts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

constexpr double most_times = 1e6; // the limit, as a multiple of the recorded repetitions

struct SizeLoops {
  const SurveyedSize* size = nullptr;
  std::vector<WorldCall> calls;
  CallLoops loops;
  LoopMatch match; // the loops of the largest recording that also are in this one

  double ranks() const { return size->grid.ranks(); }
  const std::string& name() const { return size->recording.name; }
};

SizeLoops loops_in(const SurveyedSize& size) {
  auto calls = world_calls_of(size);
  auto loops = loops_of(calls);
  return {&size, std::move(calls), std::move(loops), {}};
}

// Whether all messages that a repetition sends are received in it.
bool is_closed(const SizeLoops& size, const LoopPlace& place) {
  std::uint64_t open = 0;
  for (std::size_t i = 0; i < place.calls; ++i)
    open += size.calls[place.begin + i].open;
  return open == 0;
}

// A loop of the largest recording, and its counts in all recordings.
struct KnownLoop {
  std::vector<NumberOfRanks> points; // the largest recording's own count comes first
  std::vector<std::string> texts;    // texts for the smaller recordings
  std::size_t count = 0;             // the count that it will have
  double power = 0;
};
using KnownLoops = std::map<LoopPlace, KnownLoop>;

double grown_number(double number, double power, double ratio) {
  return std::clamp(std::round(number * std::pow(ratio, power)), 1.0, most_times * number);
}

// Finds the loops of recordings in which rank 0 differs only by repetitions, if there are such recordings.
KnownLoops known_loops(const SizeLoops& largest, const std::vector<SizeLoops>& smaller, bool only_whole, int ranks) {
  KnownLoops known;
  for (const auto& one : smaller)
    for (const auto& pair : one.match.pairs) {
      if ((only_whole && !one.match.is_whole) || !is_closed(largest, pair.place) || !is_closed(one, pair.other_place))
        continue;
      auto& loop = known[pair.place];
      if (loop.points.empty())
        loop.points.push_back({largest.ranks(), static_cast<double>(pair.count)});
      loop.points.push_back({one.ranks(), static_cast<double>(pair.other_count)});
      loop.texts.push_back(fmt::format("{} in {}", pair.other_count, one.name()));
    }
  for (auto& [place, loop] : known) {
    loop.power = power_through(loop.points);
    loop.count = static_cast<std::size_t>(grown_number(loop.points[0].number, loop.power, ranks / largest.ranks()));
  }
  std::erase_if(known, [](const auto& each) {
    return std::ranges::all_of(each.second.points,
                               [&](const auto& point) { return point.number == each.second.points[0].number; });
  });
  return known;
}

// The calls between those that are equal from the beginning and those that are equal to the end.
struct Middle {
  CallRange own; // in the largest recording
  CallRange other;
};

// None: one recording has no such calls, or some of their messages are received only after the next call.
std::optional<Middle> middle_of(const SizeLoops& largest, const SizeLoops& one) {
  const auto& match = one.match;
  std::size_t same = 0;
  const auto left = std::min(largest.calls.size() - match.end, one.calls.size() - match.other_end);
  while (same < left &&
         largest.calls[largest.calls.size() - same - 1].first == one.calls[one.calls.size() - same - 1].first)
    ++same;
  const Middle middle{{match.end, largest.calls.size() - same}, {match.other_end, one.calls.size() - same}};
  const auto is_closed_in = [](const SizeLoops& size, const CallRange& range) {
    return range.begin < range.end && std::all_of(size.calls.begin() + static_cast<std::ptrdiff_t>(range.begin),
                                                  size.calls.begin() + static_cast<std::ptrdiff_t>(range.end),
                                                  [](const WorldCall& call) { return call.open == 0; });
  };
  return is_closed_in(largest, middle.own) && is_closed_in(one, middle.other) ? std::optional(middle) : std::nullopt;
}

// Returns `count` calls of a range: all, and again from its first one on.
std::vector<CallRange> calls_from(const CallRange& range, std::size_t count) {
  std::vector<CallRange> ranges;
  while (count > 0) {
    const auto calls = std::min(count, range.end - range.begin);
    ranges.push_back({range.begin, range.begin + calls});
    count -= calls;
  }
  return ranges;
}

// For each of the largest recording's calls, returns the next call of the smaller recording that is the same for rank
// 0. None if there is none, or if the search starts again too often.
std::optional<std::vector<CallRange>> same_calls(const SizeLoops& largest, const std::vector<CallRange>& ranges,
                                                 const SizeLoops& one, const CallRange& from) {
  constexpr int most_turns = 1000;
  std::vector<CallRange> found;
  std::size_t at = from.begin;
  int turns = 0;
  for (const auto& range : ranges)
    for (auto call = range.begin; call < range.end; ++call) {
      const auto is_same = [&](const WorldCall& other) { return other.first == largest.calls[call].first; };
      const auto begin = one.calls.begin();
      const auto end = begin + static_cast<std::ptrdiff_t>(from.end);
      auto same = std::find_if(begin + static_cast<std::ptrdiff_t>(at), end, is_same);
      if (same == end) {
        same = std::find_if(begin + static_cast<std::ptrdiff_t>(from.begin), end, is_same);
        if (same == end || ++turns > most_turns)
          return std::nullopt;
      }
      const auto place = static_cast<std::size_t>(same - begin);
      if (!found.empty() && found.back().end == place)
        found.back().end = place + 1;
      else
        found.push_back({place, place + 1});
      at = place + 1;
    }
  return found;
}

RecordedSize looped(const SizeLoops& size, std::vector<CallRange> ranges) {
  auto recording = size.size->recording;
  recording.source = looped_source(*size.size, size.calls.size(), std::move(ranges));
  return recording;
}

// Replaces the calls of a range in the calls to make.
std::vector<CallRange> with_calls(std::vector<CallRange> ranges, const CallRange& range,
                                  const std::vector<CallRange>& calls) {
  const auto end = ranges.back().end; // nothing changes after the range
  ranges.back().end = range.begin;
  ranges.insert(ranges.end(), calls.begin(), calls.end());
  ranges.push_back({range.end, end});
  std::erase_if(ranges, [](const CallRange& each) { return each.begin == each.end; });
  return ranges;
}

std::map<LoopPlace, std::size_t> counts_of(const KnownLoops& known) {
  std::map<LoopPlace, std::size_t> counts;
  for (const auto& [place, loop] : known)
    counts[place] = loop.count;
  return counts;
}
std::map<LoopPlace, std::size_t> counts_of(const KnownLoops& known, const SizeLoops& smaller) {
  std::map<LoopPlace, std::size_t> counts;
  for (const auto& pair : smaller.match.pairs)
    if (const auto found = known.find(pair.place); found != known.end())
      counts[pair.other_place] = found->second.count;
  return counts;
}

std::vector<std::string> texts_of(const SizeLoops& largest, const KnownLoops& known) {
  constexpr std::size_t most_texts = 3;
  std::vector<std::string> texts;
  for (const auto& [place, loop] : known)
    if (texts.size() < most_texts)
      texts.push_back(fmt::format("{}: a loop with {} of all ranks goes round {} times ({}); it is taken to do so {} "
                                  "times, by the power {:.2g} of the number of ranks",
                                  largest.name(), counted(place.calls, "collective call"), loop.points[0].number,
                                  fmt::join(loop.texts, ", "), loop.count, loop.power));
  if (known.size() > most_texts)
    texts.push_back(fmt::format("{}: so are {} more loops", largest.name(), known.size() - most_texts));
  return texts;
}

// If all recordings differ by more than repetitions, the calls between the equal beginning and the equal end are
// extended.
void grow_middle(const SizeLoops& largest, const std::vector<SizeLoops>& smaller, int ranks, LoopedSizes& result) {
  std::optional<Middle> first;
  std::vector<NumberOfRanks> points{{largest.ranks(), 1}};
  for (const auto& one : smaller) {
    const auto middle = middle_of(largest, one);
    if (&one == &smaller.front())
      first = middle;
    if (middle)
      points.push_back({one.ranks(), 1.0 * static_cast<double>(middle->other.end - middle->other.begin) /
                                         static_cast<double>(middle->own.end - middle->own.begin)});
  }
  if (!first)
    return;
  auto known = known_loops(largest, smaller, false, ranks);
  std::erase_if(known, [&](const auto& each) { return each.first.begin >= first->own.begin; });
  const double power = power_through(points);
  const auto length = first->own.end - first->own.begin;
  const auto count =
      static_cast<std::size_t>(grown_number(static_cast<double>(length), power, ranks / largest.ranks()));
  if (count == length && known.empty())
    return;
  const auto calls = calls_from(first->own, count);
  result.recordings.push_back(
      looped(largest, with_calls(with_counts(largest.loops, counts_of(known)), first->own, calls)));
  const auto& next = smaller.front();
  for (const auto& one : smaller)
    result.recordings.push_back(one.size->recording);
  if (const auto same = same_calls(largest, calls, next, first->other))
    result.recordings[1] =
        looped(next, with_calls(with_counts(next.loops, counts_of(known, next)), first->other, *same));
  result.texts = texts_of(largest, known);
  result.texts.push_back(
      fmt::format("{}: {} of all ranks are others than the {} of {}, in no loop that both have; they are taken to be "
                  "{}, by the power {:.2g} of the number of ranks: these again from the first on",
                  largest.name(), counted(length, "collective call"), first->other.end - first->other.begin,
                  next.name(), count, power));
}

} // namespace

LoopedSizes with_loops_of(const std::vector<const SurveyedSize*>& sizes, int ranks) {
  if (sizes.size() < 2)
    return {};
  const auto largest = loops_in(*sizes.front());
  std::vector<SizeLoops> smaller;
  for (const auto* size : sizes)
    if (size != sizes.front()) {
      auto& added = smaller.emplace_back(loops_in(*size));
      added.match = match_of(largest.loops, added.loops);
    }
  LoopedSizes result;
  if (std::ranges::none_of(smaller, [](const SizeLoops& size) { return size.match.is_whole; })) {
    grow_middle(largest, smaller, ranks, result);
    return result;
  }
  const auto known = known_loops(largest, smaller, true, ranks);
  if (known.empty())
    return {};
  result.texts = texts_of(largest, known);
  result.recordings.push_back(looped(largest, with_counts(largest.loops, counts_of(known))));
  for (const auto& size : smaller)
    result.recordings.push_back(size.match.is_whole ? looped(size, with_counts(size.loops, counts_of(known, size)))
                                                    : size.size->recording);
  return result;
}

} // namespace kakehashi
