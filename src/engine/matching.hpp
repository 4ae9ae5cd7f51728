// MPI's matching at one receiver: envelopes that have come, receives that are posted, each in order.
#pragma once

#include "workload/operation.hpp"

#include <deque>
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

class Matching {
public:
  // The first posted receive that takes the envelope; if none does, the envelope waits.
  std::optional<std::uint32_t> arrive(const Envelope& envelope) {
    return take_first(
        posted_, [&](const PostedReceive& receive) { return fits(receive, envelope); }, envelope, waiting_,
        &PostedReceive::request);
  }
  // The message of the first waiting envelope that the receive takes; if none fits, the receive stays posted.
  std::optional<std::uint32_t> post(const PostedReceive& receive) {
    return take_first(
        waiting_, [&](const Envelope& envelope) { return fits(receive, envelope); }, receive, posted_,
        &Envelope::message);
  }

  const std::deque<PostedReceive>& posted() const { return posted_; }

private:
  static bool fits(const PostedReceive& receive, const Envelope& envelope) {
    return (receive.source == any_source || receive.source == envelope.source) &&
           (receive.tag == envelope.tag || (receive.tag == any_tag && envelope.tag >= 0));
  }

  template <class Queue, class Test, class Newcomer, class OtherQueue, class Field>
  static std::optional<std::uint32_t> take_first(Queue& queue, Test test, const Newcomer& newcomer,
                                                 OtherQueue& otherwise, Field field) {
    for (auto it = queue.begin(); it != queue.end(); ++it)
      if (test(*it)) {
        const auto found = (*it).*field;
        queue.erase(it);
        return found;
      }
    otherwise.push_back(newcomer);
    return std::nullopt;
  }

  std::deque<Envelope> waiting_;
  std::deque<PostedReceive> posted_;
};

} // namespace kakehashi
