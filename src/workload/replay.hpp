// The events of a recorded rank → its program.
//
// Collective operations use the library's algorithms, except that gatherv and scatterv are linear, because only the
// root's trace has all sizes. If the trace states the work of a reduction, this work follows the messages and replaces
// the library's own cost. Operations that are never waited for end before the rank does.
//
// Nonblocking collective calls go on beside the rank's own operations as the library's progress lets them
// (side_programs.hpp).
#pragma once

#include "model/gpu_call.hpp"
#include "model/scenario.hpp"
#include "model/trace_event.hpp"
#include "workload/call_order.hpp"
#include "workload/call_times.hpp"
#include "workload/collective/collective.hpp"

#include <deque>
#include <unordered_map>

namespace kakehashi {

// The speed of the rank's device.
struct ReplaySpeed {
  FlopsPerSecond speed{1};
  double slowdown = 1; // factor of recorded times
};

// The engine knows only tags, so messages of contexts other than the world's, and of very large tags, get tags of their
// own.
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

// State that all ranks of a replay share.
struct ReplayWorld {
  std::deque<Group> communicators; // the world comes first
  std::deque<CallOrder> orders;    // orders for each communicator
  Library library;
  Library without_reduction;      // the same library, but adding takes no time
  const GpuCalls* gpus = nullptr; // calls that GPUs' libraries make; null: none
  std::string advice;             // further advice if ranks' calls do not match
  CallTimes times;
  TagTable tags{};
  std::size_t nonblocking_calls = 0; // number of collective ones that were begun
  std::size_t reductions = 0;        // number of reductions that the program began
  std::size_t device_works = 0;      // number of works that were begun
  Seconds device_time{};             // device time of these works
  Seconds device_waits{};            // in which ranks waited for these works
  bool is_cut = false; // the trace ends before the program, so nobody waits for operations that are open then
};
ReplayWorld make_replay_world(const Library& library, std::size_t ranks);
void add_communicator(ReplayWorld& world, Group group, const std::string& name);

// Runs the messages and the work of a call in a communicator with this rank. Calls with the same `context` meet; others
// do not. `is_own`: the library itself makes the call, and its vectors are on the hosts of GPUs from the start.
Program run_collective(Rank& rank, ReplayWorld& world, CollectiveEvent event, int context, ReplaySpeed speed,
                       bool is_own = false);

// The world must outlive the program.
Program run_replay(Rank& rank, ReplayWorld& world, std::unique_ptr<EventStream> events, ReplaySpeed speed);

// A recording → its faults, found without a run.

// Reads the events of all ranks and compares their collective calls. Errors: the first fault of each rank, for at most
// 20 ranks; without such faults, the first calls in each communicator that do not match.
Errors check_replay(const Replay& replay, std::size_t ranks);

} // namespace kakehashi
