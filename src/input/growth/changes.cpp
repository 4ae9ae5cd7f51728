#include "input/growth/growth_parts.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <utility>

namespace kakehashi {
namespace {

const RankCalls& calls_of_kind(const SurveyedSize& size, const Grid& grid, int rank) {
  return size.ranks[static_cast<std::size_t>(stand_in(size.grid, grid, rank))];
}

// How much a smaller recording's ranks have for what those of their kinds have in the largest one; 0: nothing to
// compare. Ranks at an edge have other neighbours than those inside, and fewer ranks are at one the more there are: so
// a mean over all ranks changes although no rank does.
template <class Value> double change_from(const SurveyedSize& largest, const SurveyedSize& smaller, Value value) {
  std::array<double, rank_kinds> sums{}, counts{};
  for (int rank = 0; rank < largest.grid.ranks(); ++rank) {
    const auto kind = static_cast<std::size_t>(kind_of(largest.grid, rank));
    sums[kind] += value(largest.ranks[static_cast<std::size_t>(rank)]);
    ++counts[kind];
  }
  double own = 0, expected = 0;
  for (int rank = 0; rank < smaller.grid.ranks(); ++rank) {
    const auto kind = static_cast<std::size_t>(kind_of(largest.grid, stand_in(largest.grid, smaller.grid, rank)));
    own += value(smaller.ranks[static_cast<std::size_t>(rank)]);
    expected += sums[kind] / counts[kind];
  }
  return expected > 0 ? own / expected : 0;
}

// How often a smaller recording goes round for each time that the largest does. Where all make the same collective
// calls that is once. Else the calls of rank 0, which is a corner in every recording, show it; not always, as between
// two ranks on an axis one message may do for both neighbours.
double rounds_in(const SurveyedSize& largest, const SurveyedSize& smaller) {
  const auto& all = largest.ranks[0];
  const auto& own = smaller.ranks[0];
  if (all.calls == 0 || own.calls == 0 || (own.collective_calls > 0 && own.collectives == all.collectives))
    return 1;
  return static_cast<double>(own.calls) / static_cast<double>(all.calls);
}

// Fits what a rank of a kind has each time round by a power of the number of ranks.
template <class Value> double power_of(const GrowthBasis& basis, Value value) {
  std::vector<NumberOfRanks> points{{1.0 * basis.recorded.grid.ranks(), 1}};
  for (const auto& size : basis.smaller)
    points.push_back(
        {1.0 * size.grid.ranks(), change_from(basis.recorded, size, value) / rounds_in(basis.recorded, size)});
  return power_through(points);
}

// The kinds of ranks, and those for which no recording shows how sizes change from call to call.
struct KindCounts {
  std::size_t all = 0;
  std::size_t alone = 0; // missing in the smaller recordings
  std::size_t other = 0; // with other messages there
};

// Finds, for each kind, the largest recording that shows this.
KindCounts find_messages_before(GrowthBasis& basis) {
  KindCounts counts;
  std::array<bool, rank_kinds> seen{};
  for (int rank = 0; rank < basis.grid.ranks(); ++rank) {
    const auto kind = static_cast<std::size_t>(kind_of(basis.grid, rank));
    if (std::exchange(seen[kind], true))
      continue;
    bool is_there = false;
    for (std::size_t i = 0; i < basis.smaller.size() && !basis.messages_before[kind]; ++i) {
      const auto& size = basis.smaller[i];
      if (!has_kind(size.grid, basis.grid, rank))
        continue;
      is_there = true;
      if (calls_of_kind(size, basis.grid, rank).order == calls_of_kind(basis.recorded, basis.grid, rank).order)
        basis.messages_before[kind] = i;
    }
    ++counts.all;
    counts.alone += !is_there;
    counts.other += is_there && !basis.messages_before[kind];
  }
  return counts;
}

bool has_same_collectives(const GrowthBasis& basis, const SurveyedSize& smaller) {
  for (int rank = 0; rank < basis.grid.ranks(); ++rank)
    if (calls_of_kind(smaller, basis.grid, rank).collectives !=
        calls_of_kind(basis.recorded, basis.grid, rank).collectives)
      return false;
  return true;
}

} // namespace

std::vector<std::string> find_changes(GrowthBasis& basis) {
  basis.sizes.fill(1);
  if (basis.smaller.empty())
    return {
        "one recording does not show how messages and work change with the number of ranks: they are assumed to stay"};
  const double ratio = 1.0 * basis.grid.ranks() / basis.recorded.grid.ranks();
  for (std::size_t i = 0; i < relations; ++i)
    basis.sizes[i] =
        std::pow(ratio, power_of(basis, [i](const RankCalls& rank) { return static_cast<double>(rank.bytes_to[i]); }));
  if (has_same_collectives(basis, basis.smaller.front()))
    basis.collectives_before = 0;
  const double power = power_of(basis, [](const RankCalls& rank) { return rank.work; });
  basis.work = std::pow(ratio, power);

  const auto& name = basis.recorded.recording.name;
  std::vector<std::string> texts;
  const auto kinds = find_messages_before(basis);
  for (const auto& [count, why] :
       {std::pair(kinds.other, "send other messages than in smaller recordings, or in another order"),
        std::pair(kinds.alone, "are in no smaller recording")})
    if (count > 0)
      texts.push_back(fmt::format("{}: {} of {} kinds of ranks {}: sizes of their messages are taken to change as all "
                                  "bytes to such neighbours do",
                                  name, count, kinds.all, why));
  if (!basis.collectives_before)
    texts.push_back(fmt::format("{}: its collective calls are not those of {}, and taken to stay", name,
                                basis.smaller.front().recording.name));
  for (const auto& [what, changes] :
       {std::pair("messages", power_of(basis, [](const RankCalls& rank) { return static_cast<double>(rank.bytes); })),
        std::pair("collective calls", basis.collectives_before
                                          ? power_of(basis, [](const RankCalls& rank) { return rank.collective_sizes; })
                                          : 0)})
    if (constexpr double least = 0.005; std::abs(changes) > least)
      texts.push_back(
          fmt::format("sizes of {} are taken to go on changing by a power of the number of ranks, on average "
                      "{:.2g}: {:.3g} times those in {}",
                      what, changes, std::pow(ratio, changes), name));
  texts.push_back(
      fmt::format("work of a rank is assumed to be {:.3g} times that in {}, by the power {:.2g} of the number of ranks",
                  basis.work, name, power));
  return texts;
}

namespace {

// Returns the messages between two ranks of the larger grid.
Exchange exchange_of(const SurveyedSize& recorded, const Grid& grown, int rank, int other) {
  Exchange all;
  for (const auto& [peer, one] : recorded.exchanges[static_cast<std::size_t>(stand_in(recorded.grid, grown, rank))])
    if (grown_peer(recorded.grid, grown, rank, peer) == other) {
      all.sent += one.sent;
      all.received += one.received;
      all.sent_pattern += one.sent_pattern;
      all.received_pattern += one.received_pattern;
      all.any_tag |= one.any_tag;
    }
  return all;
}

struct Unmatched {
  int from = 0;
  int to = 0;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

// Checks each pair of stand-ins once, because there are many ranks.
std::optional<Unmatched> unmatched_on(const SurveyedSize& recorded, const Grid& grown) {
  std::set<std::array<int, 3>> seen;
  for (int rank = 0; rank < grown.ranks(); ++rank) {
    const int recorded_rank = stand_in(recorded.grid, grown, rank);
    for (const auto& found : recorded.exchanges[static_cast<std::size_t>(recorded_rank)]) {
      const int other = grown_peer(recorded.grid, grown, rank, found.first);
      if (!seen.insert({recorded_rank, found.first, stand_in(recorded.grid, grown, other)}).second)
        continue;
      const auto own = exchange_of(recorded, grown, rank, other);
      const auto theirs = exchange_of(recorded, grown, other, rank);
      if (own.sent != theirs.received || (!theirs.any_tag && own.sent_pattern != theirs.received_pattern))
        return Unmatched{rank, other, own.sent, theirs.received};
      if (theirs.sent != own.received || (!own.any_tag && theirs.sent_pattern != own.received_pattern))
        return Unmatched{other, rank, theirs.sent, own.received};
    }
  }
  return std::nullopt;
}

bool is_matched(const SurveyedSize& recorded) {
  for (std::size_t rank = 0; rank < recorded.exchanges.size(); ++rank)
    for (const auto& [peer, own] : recorded.exchanges[rank]) {
      const auto& others = recorded.exchanges[static_cast<std::size_t>(peer)];
      const auto found = others.find(static_cast<int>(rank));
      const auto theirs = found == others.end() ? Exchange{} : found->second;
      if (own.sent != theirs.received || own.received != theirs.sent)
        return false;
    }
  return true;
}

} // namespace

std::optional<Error> unmatched_messages(const SurveyedSize& recorded, const Grid& grown) {
  if (!is_matched(recorded)) // it may end early
    return std::nullopt;
  const auto found = unmatched_on(recorded, grown);
  if (!found)
    return std::nullopt;
  const auto& [from, to, sent, received] = *found;
  return file_error(ErrorKind::input, recorded.recording.name,
                    fmt::format("it cannot be grown: of {} ranks, rank {} would send {} to rank {}, which would "
                                "receive {}, so what they do does not follow from their neighbours alone",
                                grown.ranks(), from, counted(sent, "message"), to,
                                sent == received ? "as many with other tags" : std::to_string(received)));
}

} // namespace kakehashi
