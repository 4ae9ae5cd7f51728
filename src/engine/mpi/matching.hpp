// MPI's matching at one receiver: messages whose envelopes have come, and receives that are posted.
#pragma once

#include "base/prefetch.hpp"
#include "base/ring.hpp"
#include "engine/mpi/message.hpp"
#include "workload/operation.hpp"

#include <optional>
#include <vector>

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

  bool takes(int of_source, int of_tag) const {
    return (source == any_source || source == of_source) && (tag == of_tag || (tag == any_tag && of_tag >= 0));
  }
};

// Receives in the order in which they were posted. Taking one costs the way from the oldest to it, but the oldest that
// are all alike count as one.
class PostedReceives {
public:
  void push(const PostedReceive& receive) {
    entries_.push_back(receive);
    if (alike_ + 1 == entries_.size() && is_as_first(alike_))
      ++alike_;
  }

  std::optional<PostedReceive> take_first(const Envelope& envelope) {
    if (entries_.empty())
      return std::nullopt;
    const auto takes = [&](std::size_t at) { return entries_[at].takes(envelope.source, envelope.tag); };
    auto at = takes(0) ? 0 : alike_;
    while (at < entries_.size() && !takes(at))
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

  const Ring<PostedReceive>& entries() const { return entries_; }

private:
  bool is_as_first(std::size_t at) const {
    return entries_[at].source == entries_[0].source && entries_[at].tag == entries_[0].tag;
  }

  Ring<PostedReceive> entries_;
  std::size_t alike_ = 0; // so many of the oldest have the same source and tag
};

// Messages that wait for a receive, linked by their `next`, in runs of the same source and tag. Where runs are few, a
// message joins the last of its own, so that senders which are far ahead, as in a pipeline along a tree, have one each;
// where they are many, the oldest is mostly the one that is wanted. `sequence` becomes the order of arrival.
class WaitingMessages {
public:
  void push(const Envelope& envelope, std::vector<Message>& messages) {
    auto& message = messages[envelope.message];
    message.next = no_message;
    message.sequence = arrived_++;
    const auto looked_at = runs_.size() <= few ? runs_.size() : 1;
    for (auto at = runs_.size(); at-- > runs_.size() - looked_at;)
      if (auto& run = runs_[at]; run.source == envelope.source && run.tag == envelope.tag) {
        messages[run.last].next = envelope.message;
        run.last = envelope.message;
        return;
      }
    runs_.push_back({envelope.source, envelope.tag, message.sequence, envelope.message, envelope.message});
  }

  std::optional<std::uint32_t> take_first(const PostedReceive& receive, const std::vector<Message>& messages) {
    std::optional<std::size_t> found;
    const auto comes_before = [&](const Run& run) { // runs of the same source and tag are in order
      return !found || messages[run.first].sequence < messages[runs_[*found].first].sequence;
    };
    const bool is_certain = receive.source != any_source && receive.tag != any_tag;
    for (std::size_t at = 0; at < runs_.size() && !(found && (is_certain || is_older(*found, at, messages))); ++at)
      if (receive.takes(runs_[at].source, runs_[at].tag) && comes_before(runs_[at]))
        found = at;
    if (!found)
      return std::nullopt;
    auto& run = runs_[*found];
    const auto first = run.first;
    run.first = messages[first].next;
    if (run.first == no_message)
      runs_.remove(*found);
    else
      prefetch(&messages[run.first]); // it may be wanted next
    return first;
  }

  // Calls `tell` for each message, run by run.
  template <class Tell> void for_each(const std::vector<Message>& messages, Tell tell) const {
    for (std::size_t at = 0; at < runs_.size(); ++at)
      for (auto id = runs_[at].first; id != no_message; id = messages[id].next)
        tell(id);
  }

private:
  static constexpr std::size_t few = 8;
  struct Run {
    int source;
    int tag;
    std::uint32_t began; // when its first one came, that may be gone
    std::uint32_t first;
    std::uint32_t last;
  };
  // Whether the first message of a run is older than all in a later run, and in those behind that.
  bool is_older(std::size_t found, std::size_t at, const std::vector<Message>& messages) const {
    return messages[runs_[found].first].sequence < runs_[at].began;
  }

  Ring<Run> runs_; // in the order in which they began
  std::uint32_t arrived_ = 0;
};

// Waiting messages are linked through the caller's own messages.
class Matching {
public:
  // The first posted receive that takes the envelope; if none does, the envelope waits.
  std::optional<std::uint32_t> arrive(const Envelope& envelope, std::vector<Message>& messages) {
    if (const auto found = posted_.take_first(envelope))
      return found->request;
    waiting_.push(envelope, messages);
    return std::nullopt;
  }
  // The message of the first waiting envelope that the receive takes; if none fits, the receive stays posted.
  std::optional<std::uint32_t> post(const PostedReceive& receive, const std::vector<Message>& messages) {
    const auto found = waiting_.take_first(receive, messages);
    if (!found)
      posted_.push(receive);
    return found;
  }

  const Ring<PostedReceive>& posted() const { return posted_.entries(); } // the oldest first
  const WaitingMessages& waiting() const { return waiting_; }

private:
  PostedReceives posted_;
  WaitingMessages waiting_;
};

} // namespace kakehashi
