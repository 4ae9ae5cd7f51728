// The events of a recorded rank → its program.
//
// Collective operations use the library's algorithms, but gatherv and scatterv are linear: only the root's trace tells
// all sizes. Where the trace tells what a reduction costs, it is computed after it, and the library's own cost is left
// out. What was started and never waited for ends before the rank does.
//
// Nonblocking collective calls go on beside the rank's own operations as the library's progress lets them
// (side_programs.hpp).
#pragma once

#include "model/trace_event.hpp"
#include "workload/call_order.hpp"
#include "workload/call_times.hpp"
#include "workload/collective/collective.hpp"

#include <deque>
#include <unordered_map>

namespace kakehashi {

// How fast the rank's device computes.
struct ReplaySpeed {
  FlopsPerSecond speed{1};
  double slowdown = 1; // of recorded times
};

// The engine knows tags only, so a message of another context than the world's, or of a very large tag, gets a tag of
// its own.
class TagTable {
public:
  int tag_of(std::size_t context, int tag) {
    if (context == 0 && tag < first)
      return tag;
    const auto key = std::uint64_t{context} << 32 | static_cast<std::uint32_t>(tag);
    return tags_.try_emplace(key, first + static_cast<int>(tags_.size())).first->second;
  }

private:
  static constexpr int first = 1 << 30;
  std::unordered_map<std::uint64_t, int> tags_;
};

// State that the ranks of a replay share.
struct ReplayWorld {
  std::deque<Group> communicators; // the world is the first
  std::deque<CallOrder> orders;    // of each
  Library library;
  Library without_reduction; // adds in no time
  std::string advice;        // what to say besides where ranks' calls do not fit each other
  CallTimes times;
  TagTable tags{};
  std::size_t nonblocking_calls = 0; // collective ones that were begun
  std::size_t reductions = 0;        // collective ones of the program that were begun
  std::size_t device_works = 0;      // that were begun
  Seconds device_time;               // of these
  Seconds device_waits;              // of ranks for them
  bool is_cut = false;               // the trace ends before the program: what is still open then is not waited for
};
ReplayWorld make_replay_world(const Library& library, std::size_t ranks);
void add_communicator(ReplayWorld& world, Group group, const std::string& name);

// The messages and the work of a call in a communicator that the rank is in. context: calls of the same one, and no
// others, meet. is_own: the library's, whose vectors are on the hosts of GPUs from the start.
Program run_collective(Rank& rank, ReplayWorld& world, CollectiveEvent event, int context, ReplaySpeed speed,
                       bool is_own = false);

// The world must outlive the program.
Program run_replay(Rank& rank, ReplayWorld& world, std::unique_ptr<EventStream> events, ReplaySpeed speed);

} // namespace kakehashi
