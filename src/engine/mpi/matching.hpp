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

// Entries in the order in which they came. Taking one costs the way from the oldest to it, so a long queue is quick as
// long as the oldest are taken first.
template <class Entry> class MatchQueue {
public:
  void push(const Entry& entry) { entries_.push_back(entry); }

  template <class Test> std::optional<Entry> take_first(Test test) {
    for (std::size_t at = 0; at < entries_.size(); ++at)
      if (test(entries_[at])) {
        const auto found = entries_[at];
        for (; at > 0; --at) // those before it keep their order
          entries_[at] = entries_[at - 1];
        entries_.pop_front();
        return found;
      }
    return std::nullopt;
  }

  const Ring<Entry>& entries() const { return entries_; }

private:
  Ring<Entry> entries_;
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
