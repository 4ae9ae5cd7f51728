// MPI's matching at one receiver: envelopes that have come, receives that are posted, each in order.
#pragma once

#include "engine/mpi/ring.hpp"
#include "workload/operation.hpp"

#include <optional>

namespace kakehashi {

struct Envelope {
  int source = 0;
  int tag = 0;
  std::uint32_t message = 0;
};

struct PostedReceive {
  int source = any_source;
  int tag = any_tag;
  std::uint32_t request = 0;
};

// Entries in the order in which they came. Taking one costs the way from the oldest to it, but the oldest that are all
// alike count as one: a long queue is quick as long as the oldest are taken first, or as they are of one sender that is
// far ahead of the others.
template <class Entry> class MatchQueue {
public:
  void push(const Entry& entry) {
    entries_.push_back(entry);
    if (alike_ + 1 == entries_.size() && is_as_first(alike_))
      ++alike_;
  }

  template <class Test> std::optional<Entry> take_first(Test test) {
    if (entries_.empty())
      return std::nullopt;
    auto at = test(entries_.front()) ? 0 : alike_;
    while (at < entries_.size() && !test(entries_[at]))
      ++at;
    if (at == entries_.size())
      return std::nullopt;
    const auto found = entries_[at];
    entries_.remove(at);
    if (at < alike_)
      --alike_;
    while (alike_ < entries_.size() && is_as_first(alike_))
      ++alike_;
    return found;
  }

  const Ring<Entry>& entries() const { return entries_; }

private:
  bool is_as_first(std::size_t at) const {
    return entries_[at].source == entries_[0].source && entries_[at].tag == entries_[0].tag;
  }

  Ring<Entry> entries_;
  std::size_t alike_ = 0; // so many of the oldest have the same source and tag
};

class Matching {
public:
  // The first posted receive that takes the envelope; if none does, the envelope waits.
  std::optional<std::uint32_t> arrive(const Envelope& envelope) {
    if (const auto found = posted_.take_first([&](const PostedReceive& receive) { return fits(receive, envelope); }))
      return found->request;
    waiting_.push(envelope);
    return std::nullopt;
  }
  // The message of the first waiting envelope that the receive takes; if none fits, the receive stays posted.
  std::optional<std::uint32_t> post(const PostedReceive& receive) {
    if (const auto found = waiting_.take_first([&](const Envelope& envelope) { return fits(receive, envelope); }))
      return found->message;
    posted_.push(receive);
    return std::nullopt;
  }

  // The oldest first.
  const Ring<PostedReceive>& posted() const { return posted_.entries(); }
  const Ring<Envelope>& waiting() const { return waiting_.entries(); }

private:
  static bool fits(const PostedReceive& receive, const Envelope& envelope) {
    return (receive.source == any_source || receive.source == envelope.source) &&
           (receive.tag == envelope.tag || (receive.tag == any_tag && envelope.tag >= 0));
  }

  MatchQueue<PostedReceive> posted_;
  MatchQueue<Envelope> waiting_;
};

} // namespace kakehashi
