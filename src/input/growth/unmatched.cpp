#include "input/growth/parts.hpp"

#include <array>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
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
