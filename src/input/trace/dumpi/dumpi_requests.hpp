// What the numbers of a rank's requests stand for → the messages that begin and end with these.
#pragma once

#include "base/late_queue.hpp"
#include "model/trace_event.hpp"

#include <span>
#include <unordered_map>

namespace kakehashi {

// A receive from any rank is an event once it is known what it received, or that nobody will state it.
class DumpiRequests {
public:
  using Message = std::variant<SendEvent, ReceiveEvent>;
  // A request's number, and source and tag of its message; null: not stated.
  using Ended = std::pair<std::int64_t, const std::int64_t*>;

  // Both must outlive it.
  DumpiRequests(const std::vector<RankGroup>& communicators, LateQueue<TraceEvent>& events)
      : communicators_(communicators), events_(events) {}

  // From now on the number stands for this message; none: for one to or from nobody.
  void set(std::int64_t number, std::optional<Message> message, bool is_persistent);
  // `call` has place and time of the events that begin and end messages.
  void begin(std::int64_t number, TraceEvent call);
  void end(std::span<const Ended> ended, TraceEvent call);
  void forget(std::int64_t number);
  bool cancel(std::int64_t number); // false: it is no receive from any rank
  void forget_all();

private:
  struct Request {
    std::optional<Message> message;
    bool is_persistent = false;
    std::uint64_t number = 0;            // of the message under way; 0: none
    std::optional<std::uint64_t> open{}; // its number among the events, while its source is not known
  };
  void settle(Request& request, const std::int64_t* state);

  const std::vector<RankGroup>& communicators_;
  LateQueue<TraceEvent>& events_;
  std::unordered_map<std::int64_t, Request> requests_;
  std::uint64_t begun_ = 0;
};

} // namespace kakehashi
