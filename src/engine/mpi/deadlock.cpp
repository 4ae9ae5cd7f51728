#include "engine/mpi/simulation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

// " (rank3.txt: line 12, in allreduce)", if it replays a trace.
std::string place_of(const Rank& rank) {
  const auto& place = rank.place;
  if (!place.file)
    return "";
  return fmt::format(" ({}: {}{}{}{}{})", *place.file, place.text(), place.collective.empty() ? "" : ", in ",
                     place.collective, place.site.empty() ? "" : ", called at ", place.site);
}

// " of line 12", which started the request.
std::string line_text(const Rank& rank, Request request) {
  const auto line = rank.line_of ? rank.line_of(request) : 0;
  return line > 0 ? fmt::format(" of {} {}", rank.place.unit, line) : "";
}

std::string posted_receives(const RankState& rank) {
  constexpr std::size_t most_told = 8;
  const auto& posted = rank.matching.posted();
  std::string text;
  for (std::size_t i = 0; i < std::min(most_told, posted.size()); ++i) {
    text += fmt::format("; {}", to_text(Operation{ReceiveOperation{posted[i].source, posted[i].tag, false}}));
    text += line_text(rank.view, {posted[i].request});
  }
  return posted.size() > most_told ? fmt::format("{}; and {} more", text, posted.size() - most_told) : text;
}

// Messages of the rank for which nobody has a receive.
std::string waiting_sends(const RankTable& ranks, const MessagePool& pool, const RankState& rank) {
  constexpr std::size_t most_told = 8;
  std::string text;
  std::size_t found = 0;
  for (const auto& other : ranks.all())
    other.matching.waiting().for_each(pool.all(), [&](std::uint32_t id) {
      const auto& message = pool[id];
      if (message.from == rank.view.id && !rank.requests.has_ended({message.send_request}) && ++found <= most_told)
        text += fmt::format("; {}{}", to_text(Operation{SendOperation{message.to, message.size, message.tag, false}}),
                            line_text(rank.view, {message.send_request}));
    });
  return found > most_told ? fmt::format("{}; and {} more", text, found - most_told) : text;
}

// Blocked sends that an eager protocol would have let go; empty: there are none.
std::string unbuffered_sends(const RankTable& ranks, const MessagePool& pool, WayTable& ways) {
  std::set<int> senders;
  Bytes largest;
  Bytes limit = largest_size; // first size that is not eager
  for (const auto& receiver : ranks.all())
    receiver.matching.waiting().for_each(pool.all(), [&](std::uint32_t id) {
      const auto& message = pool[id];
      if (!message.itinerary || message.is_granted() || ranks[message.from].requests.has_ended({message.send_request}))
        return;
      senders.insert(message.from);
      largest = std::max(largest, message.size);
      const auto way = ways.find(message.from, message.to, Side::sender, message.size, message.lane);
      Bytes first;
      for (const auto& regime : ways[*way].stages.front().terms.rule->regimes)
        if (regime.protocol() == Protocol::eager && regime.to && *regime.to <= message.size)
          first = std::max(first, *regime.to);
      limit = std::min(limit, first);
    });
  if (senders.empty())
    return "";
  return fmt::format(
      "\n  {} in sends of up to {}, which wait for their receives from {} on here. A program that relies on "
      "MPI to buffer them needs a higher eager limit, and may deadlock with another library, too",
      senders.size() == 1 ? "1 rank is" : fmt::format("{} ranks are", senders.size()), to_text(largest),
      to_text(limit));
}

} // namespace

Error deadlock(const RankTable& ranks, const MessagePool& messages, const Setting& setting) {
  constexpr std::size_t most_told = 16;
  std::string text;
  std::size_t blocked = 0;
  for (const auto& rank : ranks.all()) {
    if (rank.finished || ++blocked > most_told)
      continue;
    text += fmt::format("\n  rank {}{}: {}", rank.view.id, place_of(rank.view), to_text(rank.view.pending->operation));
    if (const auto* wait = std::get_if<WaitOperation>(&rank.view.pending->operation))
      text += fmt::format(", {} of them open{}{}",
                          wait->is_for_any_of_all() ? rank.requests.open() : rank.requests.awaited(),
                          posted_receives(rank), waiting_sends(ranks, messages, rank));
  }
  if (blocked > most_told)
    text += fmt::format("\n  and {} more", blocked - most_told);
  return run_error(fmt::format("deadlock after {:.3f} us: {} of {} ranks wait for ever{}",
                               in_microseconds(setting.network.now()), blocked, ranks.all().size(),
                               text + unbuffered_sends(ranks, messages, setting.ways)));
}

} // namespace kakehashi
