#include "input/trace/ti/ti_requests.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace kakehashi {
namespace {

// How often a rank sends and receives; without a tag, in all.
struct Tally {
  std::map<int, std::int64_t> sent;    // to this rank, by tag, less the receives with a source
  std::map<int, std::int64_t> unnamed; // receives of this rank without a source, by tag
  std::int64_t left = 0;               // sent to it, less the receives with a source or a tag
};

// The halves of one rank's sendrecv calls with another rank.
struct Halves {
  bool sends = false;
  bool receives = false;
};

class Counting {
public:
  explicit Counting(int ranks) : tallies_(static_cast<std::size_t>(ranks)) {}

  void see(int rank, const TraceEvent& event) {
    if (const auto* send = std::get_if<SendEvent>(&event.what)) {
      count(*send);
    } else if (const auto* receive = std::get_if<ReceiveEvent>(&event.what)) {
      count(rank, *receive);
    } else if (const auto* both = std::get_if<SendReceiveEvent>(&event.what)) {
      if (both->send.to)
        halves_[key(rank, *both->send.to)].sends = true;
      if (both->receive.from)
        halves_[key(rank, *both->receive.from)].receives = true;
      else
        count(rank, both->receive);
    }
  }

  std::vector<TiFacts> facts() const {
    std::vector<TiFacts> facts(tallies_.size());
    for (std::size_t rank = 0; rank < facts.size(); ++rank)
      facts[rank].received_unnamed = limits(tallies_[rank]);
    for (const auto& [pair, halves] : halves_)
      add_missing(static_cast<int>(pair >> 32), static_cast<int>(pair & 0xffffffff), halves, facts);
    return facts;
  }

private:
  static std::uint64_t key(int rank, int peer) {
    return static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint32_t>(peer);
  }
  Tally& of(int rank) { return tallies_[static_cast<std::size_t>(rank)]; }

  void count(const SendEvent& send) {
    if (!send.to)
      return;
    ++of(*send.to).sent[send.tag];
    ++of(*send.to).left;
  }
  void count(int rank, const ReceiveEvent& receive) {
    auto& tally = of(rank);
    if (receive.is_persistent || receive.from) {
      if (receive.tag)
        --tally.sent[*receive.tag];
      --tally.left;
    } else {
      ++tally.unnamed[receive.tag.value_or(any_tag_fact)];
    }
  }

  // Limits tags with more receives than messages.
  static std::map<int, std::uint64_t> limits(const Tally& tally) {
    std::map<int, std::uint64_t> limits;
    auto left = tally.left;
    const auto limit = [&](int tag, std::int64_t wanted, std::int64_t there) {
      there = std::clamp<std::int64_t>(there, 0, wanted);
      left -= there;
      if (there < wanted)
        limits[tag] = static_cast<std::uint64_t>(there);
    };
    for (const auto& [tag, wanted] : tally.unnamed)
      if (tag != any_tag_fact) {
        const auto sent = tally.sent.find(tag);
        limit(tag, wanted, sent == tally.sent.end() ? 0 : sent->second);
      }
    if (const auto any = tally.unnamed.find(any_tag_fact); any != tally.unnamed.end())
      limit(any_tag_fact, any->second, left);
    return limits;
  }

  // Messages of sendrecv calls have tag 0, so messages of other calls might be meant for them.
  bool has_others(int to) const {
    const auto& tally = tallies_[static_cast<std::size_t>(to)];
    const auto sent = tally.sent.find(0);
    return (sent != tally.sent.end() && sent->second != 0) || tally.unnamed.contains(0) ||
           tally.unnamed.contains(any_tag_fact);
  }
  void add_missing(int rank, int peer, const Halves& halves, std::vector<TiFacts>& facts) const {
    const auto found = halves_.find(key(peer, rank));
    const auto theirs = found == halves_.end() ? Halves{} : found->second;
    if (halves.receives && !theirs.sends && !has_others(rank))
      facts[static_cast<std::size_t>(rank)].silent.insert(peer);
    if (halves.sends && !theirs.receives && !has_others(peer))
      facts[static_cast<std::size_t>(rank)].deaf.insert(peer);
  }

  std::vector<Tally> tallies_;
  std::unordered_map<std::uint64_t, Halves> halves_;
};

// A sign in the traces of many ranks.
struct Found {
  TiSign sign; // the lines of all ranks, and the first line
  std::string file;
  std::size_t ranks = 0;

  void add(const TiSign& more, const std::string& where) {
    if (more.count == 0)
      return;
    if (ranks++ == 0) {
      sign.first = more.first;
      file = where;
    }
    sign.count += more.count;
  }
};

struct Everything {
  Found splits, worlds, startalls, receives;
};

std::string place_of(const Found& found) {
  return fmt::format("{}: line {}", found.file, found.sign.first);
}

std::vector<std::string> warnings_of(const Everything& all, const std::vector<TiFacts>& facts) {
  std::vector<std::string> texts;
  if (all.worlds.sign.count > 0)
    texts.push_back(fmt::format("{}: communicators of some ranks are made here, and the traces do not state which "
                                "calls are in them: {} after it count as calls of all ranks. \"communicators\" in the "
                                "scenario can state theirs, and a recording of `kakehashi record` has them",
                                place_of(all.splits), counted(all.worlds.sign.count, "collective call")));
  if (all.startalls.sign.count > 0)
    texts.push_back(fmt::format("{}: what startall starts is not in the traces, so the messages of {} are missing",
                                place_of(all.startalls), counted(all.startalls.sign.count, "call")));
  if (all.receives.sign.count > 0)
    texts.push_back(fmt::format("{}: no line waits for {} of {}, as after MPI_Waitsome, which leaves none. They end "
                                "unnoticed, so the run may be too fast",
                                place_of(all.receives), counted(all.receives.sign.count, "receive"),
                                counted(all.receives.ranks, "rank")));
  std::size_t ambiguous = 0, halves = 0;
  for (const auto& each : facts) {
    for (const auto& [tag, limit] : each.received_unnamed)
      ambiguous += limit > 0;
    halves += each.silent.size() + each.deaf.size();
  }
  if (ambiguous > 0)
    texts.push_back(fmt::format("a rank receives more messages from any rank than it is sent ({} of this kind); the "
                                "last ones are taken for receives from MPI_PROC_NULL",
                                counted(ambiguous, "tag")));
  if (halves > 0)
    texts.push_back(fmt::format("sendrecv calls have no partner between {} of ranks, as where that has MPI_PROC_NULL "
                                "on the other side, which leaves no line; that half of the calls is left out",
                                counted(halves, "pair")));
  return texts;
}

} // namespace

TiSurvey survey(const TiRecords& records) {
  Counting counting(records.ranks());
  Everything all;
  const TiFacts nothing;
  for (int rank = 0; rank < records.ranks(); ++rank) {
    TiRequests events(records, rank, nothing, [&](const TraceEvent& event) { counting.see(rank, event); });
    while (events.next()) {
    }
    const auto& signs = records.signs(rank);
    all.splits.add(signs.splits, events.file());
    all.worlds.add(signs.worlds, events.file());
    all.startalls.add(signs.startalls, events.file());
    all.receives.add(events.left_over().receives, events.file());
    if (events.fault()) // events that were not read leave everything open
      return {std::vector<TiFacts>(static_cast<std::size_t>(records.ranks())), {}};
  }
  auto facts = counting.facts();
  auto warnings = warnings_of(all, facts);
  return {std::move(facts), std::move(warnings)};
}

} // namespace kakehashi
