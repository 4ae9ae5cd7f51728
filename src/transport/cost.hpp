// The terms of a path and a message size → the phases of the message's cost.
//
//   T(n) = o_send + n·per_byte_send + setup + trips·L + n / rate + n·per_byte_recv + o_recv
//
// The engine plays the phases: cores queue for overheads, and links are shared while the payload flows.
#pragma once

#include "transport/path.hpp"

namespace kakehashi {

struct MessageCost {
  const Regime* regime = nullptr;
  Protocol protocol = Protocol::eager;
  int trips = 1;
  Seconds trip;          // one latency of the path, one way
  Seconds sender_core;   // o_send + n·per_byte_send
  Seconds setup;         // no core is busy; includes the fetch of the payload
  Seconds receiver_core; // o_recv + n·per_byte_recv
  Seconds gap;
  std::optional<BytesPerSecond> cap;
  bool flows = true; // whether the payload takes time on links, or at least under the cap
  // The part of each core's time in which it copies the payload.
  Seconds sender_copy;
  Seconds receiver_copy;

  Seconds before_payload() const { return setup + static_cast<double>(trips) * trip; }
};

MessageCost cost_of(const PathTerms& terms, Bytes size);

// Returns the bytes that flow over each stripe of the route: all bytes of a message that is not striped.
Bytes stripe_of(const PathTerms& terms, Bytes size);

// Returns the rate of a lone message, or of each of its stripes, on a leg of its route: its cap or the least capacity;
// none if nothing limits it.
std::optional<BytesPerSecond> lone_rate(const Path& path, const MessageCost& cost, std::size_t leg,
                                        const std::deque<Channel>& channels);

// Returns T(n) for a message that shares its route and its cores with no other.
Seconds lone_time(const Path& path, Bytes size, const std::deque<Channel>& channels);

} // namespace kakehashi
