// Two ranks → the state of the messages from the one to the other, kept only as long as there are any.
#pragma once

#include "engine/mpi/message.hpp"

#include <vector>

namespace kakehashi {

struct MessageList { // linked by the messages' `next`
  std::uint32_t first = no_message;
  std::uint32_t last = no_message;
};

// Payloads of one sender to one receiver flow one after the other: eager ones in the order of their sends, the others
// once they are granted.
struct alignas(64) Connection {
  std::uint64_t key = 0;  // the two ranks and the lane
  std::uint32_t next = 0; // the next one with the same hash
  std::uint32_t sent = 0;
  std::uint32_t delivered = 0;
  std::uint32_t messages = 0;       // on their way
  Seconds free_at;                  // the next payload may flow
  std::uint32_t early = no_message; // a list of envelopes that overtook others
  MessageList queue;                // payloads, ready or still to come
  bool busy = false;                // a payload flows

  bool is_needed(Seconds now) const { return messages > 0 || free_at > now; }
};

class Connections {
public:
  // The number of the connection; a new one if there is none. `now` tells which others are not needed any more. lane:
  // that of cores, or that of a worker of its own, whose messages no others hold up.
  std::uint32_t find(int from, int to, Seconds now, LaneNumber lane = own_lane) {
    const auto key =
        std::uint64_t{lane} << 56 ^ static_cast<std::uint64_t>(from) << 32 ^ static_cast<std::uint32_t>(to);
    for (auto number = first_[place_of(key)]; number != none; number = connections_[number].next)
      if (connections_[number].key == key)
        return number;
    return add(key, now);
  }
  Connection& operator[](std::uint32_t number) { return connections_[number]; }
  const Connection& operator[](std::uint32_t number) const { return connections_[number]; }

  // Forgets the connection unless it is needed.
  void release(std::uint32_t number, Seconds now);

  std::size_t size() const { return connections_.size() - free_.size(); }

  std::size_t most() const { return connections_.size(); } // at a time, so far

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::size_t place_of(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15u) >> shift_; }
  std::uint32_t add(std::uint64_t key, Seconds now);
  void make_room(Seconds now);
  void enter(std::uint32_t number);

  std::vector<Connection> connections_;
  std::vector<std::uint32_t> free_;
  int shift_ = 64 - 6;
  std::vector<std::uint32_t> first_ =
      std::vector<std::uint32_t>(64, none); // an entry for each hash; at least as many as there are
};

} // namespace kakehashi
