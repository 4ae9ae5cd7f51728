#include "input/trace/ti/ti_counting.hpp"

#include <algorithm>

namespace kakehashi {

void TiCounting::see(int rank, const TraceEvent& event) {
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
  if (auto& tally = of(rank); tally.is_plain)
    follow_requests(rank, event);
}

void TiCounting::follow_requests(int rank, const TraceEvent& event) {
  auto& tally = of(rank);
  if (const auto* wait = std::get_if<WaitEvent>(&event.what)) {
    const auto found = tally.open.find([&](const RequestName& each) { return each == wait->request; });
    if (found < tally.open.size())
      tally.open.remove(found);
    tally.is_plain = !tally.has_waitall; // which may have left this request open
  } else if (std::holds_alternative<WaitAllEvent>(event.what)) {
    tally.open.clear();
    tally.has_waitall = true;
  } else if (const auto name = request_of(event, rank)) {
    const auto* receive = std::get_if<ReceiveEvent>(&event.what);
    tally.open.push_back(*name);
    tally.is_plain = !receive || !receive->is_persistent;
  } else {
    tally.is_plain =
        !std::holds_alternative<WaitAnyEvent>(event.what) && !std::holds_alternative<TestEvent>(event.what);
  }
}

std::vector<TiFacts> TiCounting::facts() const {
  std::vector<TiFacts> facts(tallies_.size());
  for (std::size_t rank = 0; rank < facts.size(); ++rank)
    facts[rank].received_unnamed = limits(tallies_[rank]);
  for (const auto& [pair, halves] : halves_)
    add_missing(static_cast<int>(pair >> 32), static_cast<int>(pair & 0xffffffff), halves, facts);
  return facts;
}

void TiCounting::count(const SendEvent& send) {
  if (!send.to)
    return;
  ++of(*send.to).sent[send.tag];
  ++of(*send.to).left;
}

void TiCounting::count(int rank, const ReceiveEvent& receive) {
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
std::map<int, std::uint64_t> TiCounting::limits(const Tally& tally) {
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
bool TiCounting::has_others(int to) const {
  const auto& tally = tallies_[static_cast<std::size_t>(to)];
  const auto sent = tally.sent.find(0);
  return (sent != tally.sent.end() && sent->second != 0) || tally.unnamed.contains(0) ||
         tally.unnamed.contains(any_tag_fact);
}

void TiCounting::add_missing(int rank, int peer, const Halves& halves, std::vector<TiFacts>& facts) const {
  const auto found = halves_.find(key(peer, rank));
  const auto theirs = found == halves_.end() ? Halves{} : found->second;
  if (halves.receives && !theirs.sends && !has_others(rank))
    facts[static_cast<std::size_t>(rank)].silent.insert(peer);
  if (halves.sends && !theirs.receives && !has_others(peer))
    facts[static_cast<std::size_t>(rank)].deaf.insert(peer);
}

} // namespace kakehashi
