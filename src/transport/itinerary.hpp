// A way's terms and a message size → what the engine plays, from the sender's core to the receiver's.
//
// Plain messages have one stage and one piece. In a staged way each stage's cost is that of a message of the piece's
// size on the stage's own fabric. A stage that a host between the ranks initiates has one of its threads from its
// start to its end; what hosts do at the end of stages that others initiate is a delay.
#pragma once

#include "transport/cost.hpp"

namespace kakehashi {

struct Itinerary {
  const WayTerms* terms = nullptr;
  Bytes piece; // pieces have this size, but for the last
  Bytes last_piece;
  std::uint32_t pieces = 1;
  bool is_plain = false;               // one piece, on one leg
  Protocol protocol = Protocol::eager; // staged messages are sent without asking, since a host in between takes them
  Bytes stripe;                        // of a plain one, that flows on its channels
  std::vector<MessageCost> costs;      // of each stage, for a piece
  std::vector<MessageCost> last_costs; // for the last piece; empty if that is as large as the others

  std::size_t stages() const { return costs.size(); }
  Bytes size_of(std::uint32_t at) const { return at + 1 == pieces ? last_piece : piece; }
  const MessageCost& cost(std::size_t stage, std::uint32_t at) const {
    return at + 1 == pieces && !last_costs.empty() ? last_costs[stage] : costs[stage];
  }
  // Whether a host between the ranks begins, so that all of the first stage waits for a thread of it.
  bool begins_at_worker() const { return terms->stages.front().has_worker; }
  // The rank's core at either end.
  Seconds sender_core() const { return begins_at_worker() ? Seconds{} : cost(0, 0).sender_core; }
  Seconds receiver_core() const { return cost(stages() - 1, pieces - 1).receiver_core; }

  Seconds before_payload() const { return begins_at_worker() ? Seconds{} : cost(0, 0).before_payload(); }
  // What a stage does before a piece flows and after it has; without what the ranks' cores do, and before_payload.
  Seconds before_flow(std::size_t stage, std::uint32_t at) const {
    return stage == 0 && at == 0 && !begins_at_worker()
               ? Seconds{}
               : cost(stage, at).sender_core + cost(stage, at).before_payload();
  }
  Seconds after_flow(std::size_t stage, std::uint32_t at) const {
    return stage + 1 == stages() && at + 1 == pieces ? Seconds{} : cost(stage, at).receiver_core;
  }
};

// Keeps a reference to the terms.
Itinerary itinerary_of(const WayTerms& terms, Bytes size);

} // namespace kakehashi
