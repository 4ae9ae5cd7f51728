// The calls of each rank in a part of a recording → the messages and collective calls that are whole in that part.
#pragma once

#include "model/replay_part.hpp"
#include "model/trace_event.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace kakehashi {

// The events of a rank, one after the other → whether each is in a part of the recording.
class PartCursor {
public:
  explicit PartCursor(const ReplayPart& part);

  // Returns the share of the event that is in the part: a call counts if it begins there, work by its time.
  double share_of(const TraceEvent& event);
  Seconds time() const { return time_; } // recorded time since the first call

private:
  const ReplayPart& part_;
  Seconds time_;
  Seconds begin_; // beginning of the part; infinite until the rank enters the region with which it begins
  Seconds end_;
  std::uint64_t line_ = 0; // the last call's line; all events from one record stay together
  bool is_in_ = false;
};

// A set of numbers that are added in ascending order, kept as ranges.
class NumberRanges {
public:
  void add(std::uint64_t begin, std::uint64_t end); // after all earlier ranges
  bool contains(std::uint64_t number) const;
  const std::vector<std::pair<std::uint64_t, std::uint64_t>>& all() const { return ranges_; }

private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_; // [begin, end)
};

// The messages from one rank to another that MPI delivers in order; or, with from = -1, the collective calls of a
// communicator.
struct CallSequence {
  int from = -1;
  int to = -1;
  std::size_t context = 0;
  int tag = 0;
  auto operator<=>(const CallSequence&) const = default;
};

// The n-th send of a sequence matches its n-th receive, and each member makes the n-th collective call.
class Crossings {
public:
  // The calls of one rank in the part: its sends, or its receives and collective calls.
  using Calls = std::map<CallSequence, NumberRanges>;
  void add(const Calls& calls);
  // Keeps the numbers that are in the part for all. `members` is the size of each communicator.
  void finish(const std::vector<std::size_t>& members);

  bool is_whole(const CallSequence& sequence, std::uint64_t number) const;
  std::uint64_t messages() const { return messages_; } // the number of those that cross the border
  std::uint64_t collectives() const { return collectives_; }
  std::uint64_t whole_messages() const { return whole_messages_; }
  std::uint64_t whole_collectives() const { return whole_collectives_; }
  bool are_there() const { return messages_ + collectives_ > 0; }

private:
  std::map<CallSequence, std::map<std::uint64_t, int>> changes_; // where the count of ends that have a number changes
  std::map<CallSequence, NumberRanges> whole_;
  std::uint64_t messages_ = 0;
  std::uint64_t collectives_ = 0;
  std::uint64_t whole_messages_ = 0;
  std::uint64_t whole_collectives_ = 0;
};

// Numbers a rank's calls in their sequences, one after the other.
class CallNumbers {
public:
  explicit CallNumbers(int rank) : rank_(rank) {}

  struct Numbered {
    CallSequence sequence;
    std::uint64_t number = 0;
  };
  struct Ends { // a send and a receive, a receive alone, or a collective call in the place of the send
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
  std::map<CallSequence, std::uint64_t> sent_; // also collective calls
  std::map<CallSequence, std::uint64_t> received_;
};

} // namespace kakehashi
