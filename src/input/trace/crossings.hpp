// What both ends of a message, or all ranks of a collective call, have in a part of a recording → what is whole there.
#pragma once

#include "model/trace_event.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace kakehashi {

// Numbers in ascending order, as ranges of them.
class NumberRanges {
public:
  void add(std::uint64_t begin, std::uint64_t end); // behind those before
  bool contains(std::uint64_t number) const;
  const std::vector<std::pair<std::uint64_t, std::uint64_t>>& all() const { return ranges_; }

private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_; // without their ends
};

// Messages of one rank to another that MPI delivers in order, or collective calls of a communicator (from -1).
struct CallSequence {
  int from = -1;
  int to = -1;
  std::size_t context = 0;
  int tag = 0;
  auto operator<=>(const CallSequence&) const = default;
};

// The n-th send of a sequence meets its n-th receive; each member makes the n-th collective call.
class Crossings {
public:
  // Of one rank: those of its sends, or of its receives and collective calls, that are in the part.
  using Calls = std::map<CallSequence, NumberRanges>;
  void add(const Calls& calls);
  // Keeps those that are in the part for all. members: of each communicator.
  void finish(const std::vector<std::size_t>& members);

  bool is_whole(const CallSequence& sequence, std::uint64_t number) const;
  std::uint64_t messages() const { return messages_; } // that cross the border
  std::uint64_t collectives() const { return collectives_; }
  std::uint64_t whole_messages() const { return whole_messages_; }
  std::uint64_t whole_collectives() const { return whole_collectives_; }
  bool are_there() const { return messages_ + collectives_ > 0; }

private:
  std::map<CallSequence, std::map<std::uint64_t, int>> changes_; // of how many have a number, from that one on
  std::map<CallSequence, NumberRanges> whole_;
  std::uint64_t messages_ = 0;
  std::uint64_t collectives_ = 0;
  std::uint64_t whole_messages_ = 0;
  std::uint64_t whole_collectives_ = 0;
};

// The numbers of a rank's calls in their sequences, one after the other.
class CallNumbers {
public:
  explicit CallNumbers(int rank) : rank_(rank) {}

  struct Numbered {
    CallSequence sequence;
    std::uint64_t number = 0;
  };
  struct Ends { // a send and a receive, a receive alone, or a collective call as a send
    std::optional<Numbered> send;
    std::optional<Numbered> receive;
  };
  Ends next(const TraceEvent& event);

private:
  Numbered next(const CallSequence& sequence, std::map<CallSequence, std::uint64_t>& numbers) {
    return {sequence, numbers[sequence]++};
  }
  std::optional<Numbered> next(const SendEvent& send);
  std::optional<Numbered> next(const ReceiveEvent& receive);

  int rank_;
  std::map<CallSequence, std::uint64_t> sent_; // and collective calls
  std::map<CallSequence, std::uint64_t> received_;
};

} // namespace kakehashi
