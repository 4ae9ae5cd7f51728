// A way's terms and a message size → what the engine plays, from the sender's core to the receiver's.
//
// Plain messages have one stage and one piece. In a staged way each stage's cost is that of a message of the piece's
// size on the stage's own fabric; between the sender's core and the receiver's, cores in the middle are no resource:
// what they do is a delay.
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
  // The rank's core at either end.
  Seconds sender_core() const { return cost(0, 0).sender_core; }
  Seconds receiver_core() const { return cost(stages() - 1, pieces - 1).receiver_core; }

  // What a stage does before a piece flows and after it has; without what the ranks' cores and the first piece's
  // start, which is `before_payload` of the first cost, do.
  Seconds before_flow(std::size_t stage, std::uint32_t at) const {
    return stage == 0 && at == 0 ? Seconds{} : cost(stage, at).sender_core + cost(stage, at).before_payload();
  }
  Seconds after_flow(std::size_t stage, std::uint32_t at) const {
    return stage + 1 == stages() && at + 1 == pieces ? Seconds{} : cost(stage, at).receiver_core;
  }
};

// Keeps a reference to the terms.
Itinerary itinerary_of(const WayTerms& terms, Bytes size);

} // namespace kakehashi
