// The terms of a way and a message size → the course that the engine plays, from the sender's core to the receiver's.
//
// A plain message has one stage and one piece. In a staged way, each stage costs as much as a message of the piece's
// size on the stage's own fabric. A stage that a host between the ranks initiates occupies one of the host's threads
// from start to end. The work of a host at the end of a stage that another device initiates is a delay.
#pragma once

#include "transport/cost.hpp"

namespace kakehashi {

struct Itinerary {
  const WayTerms* terms = nullptr;
  Bytes piece; // size of all pieces but the last
  Bytes last_piece;
  std::uint32_t pieces = 1;
  bool is_plain = false;               // one piece on one leg
  Protocol protocol = Protocol::eager; // a staged message is sent without a request, since a host in between takes it
  Bytes stripe;                        // bytes of a plain message that flow on its channels
  std::vector<MessageCost> costs;      // a piece's cost on each stage
  std::vector<MessageCost> last_costs; // the last piece's; empty if that is as large as the others

  std::size_t stages() const { return costs.size(); }
  Bytes size_of(std::uint32_t at) const { return at + 1 == pieces ? last_piece : piece; }
  const MessageCost& cost(std::size_t stage, std::uint32_t at) const {
    return at + 1 == pieces && !last_costs.empty() ? last_costs[stage] : costs[stage];
  }
  // Whether a host between the ranks initiates the first stage, so that all of the stage waits for a thread of the
  // host.
  bool begins_at_worker() const { return terms->stages.front().has_worker; }
  // The time of the rank's core at each end.
  Seconds sender_core() const { return begins_at_worker() ? Seconds{} : cost(0, 0).sender_core; }
  Seconds receiver_core() const { return cost(stages() - 1, pieces - 1).receiver_core; }

  Seconds before_payload() const { return begins_at_worker() ? Seconds{} : cost(0, 0).before_payload(); }
  // The time of a stage before a piece flows and after it has flowed, without the work of the ranks' cores and without
  // before_payload().
  Seconds before_flow(std::size_t stage, std::uint32_t at) const {
    return stage == 0 && at == 0 && !begins_at_worker()
               ? Seconds{}
               : cost(stage, at).sender_core + cost(stage, at).before_payload();
  }
  Seconds after_flow(std::size_t stage, std::uint32_t at) const {
    return stage + 1 == stages() && at + 1 == pieces ? Seconds{} : cost(stage, at).receiver_core;
  }
};

// It keeps a reference to the terms.
Itinerary itinerary_of(const WayTerms& terms, Bytes size);

} // namespace kakehashi
