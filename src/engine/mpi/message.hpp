// A message on its way, as the simulation keeps it: what each event needs, in one line of the cache.
#pragma once

#include "model/lane.hpp"
#include "transport/itinerary.hpp"

namespace kakehashi {

inline constexpr std::uint32_t no_message = ~std::uint32_t{0};

// Where a message is on one stage of its way.
struct StageState {
  std::uint32_t done = 0; // pieces
  std::uint16_t leg = 0;  // on which its piece flows
  bool busy = false;
};

struct alignas(64) Message {
  enum class Kind : std::uint8_t { two_sided, put, get };

  const Itinerary* itinerary = nullptr; // null: to the sender itself
  Bytes size;
  int from = 0;
  int to = 0;
  int tag = 0;
  std::uint32_t first_set = 0; // the first of its way's sets in the network
  std::uint32_t connection = 0;
  std::uint32_t sequence = 0;        // among the envelopes of its connection; then among those that wait for a receive
  std::uint32_t send_request = 0;    // the owner's request
  std::uint32_t receive_request = 0; // the request of `to`, once matched
  std::uint32_t next = no_message;   // in a list of its connection, or of those that wait for a receive
  StageState first_stage;
  Kind kind = Kind::two_sided;
  LaneNumber lane = own_lane;
  bool resumes_owner = false; // a nonblocking operation returns when the core is done
  bool payload_is_ready : 1 = false;
  bool receiver_copies : 1 = false;
  bool passes_domains : 1 = false; // its lines pass from one cache of a node to another
  std::uint8_t load : 5 = 0;       // what of its bytes loads the memory, in sixteenths

  static constexpr double most_load = 16;
  Loads loads() const { return {2 * load >= most_load, passes_domains}; }
  // A copy by a core may load the memory with a part of its bytes.
  Loads copy_loads() const { return passes_domains ? loads() : Loads{load > 0, false}; }
  bool is_remote() const { return kind != Kind::two_sided; }
  bool is_eager() const { return !is_remote() && itinerary->protocol == Protocol::eager; }
  bool is_granted() const { return is_remote() || is_eager(); } // needs no match before its payload
  int owner() const { return kind == Kind::get ? to : from; }   // who asked for it
};
static_assert(sizeof(Message) == 64);

} // namespace kakehashi
