// A graph of operations for each rank: each operation waits for those before it in the graph.
#pragma once

#include "model/trace_event.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct ScheduledOperation {
  // append makes room for messages of puts, and test waits for a counter. The rank goes on at once after an append or a
  // put.
  enum class Kind { send, receive, work, put, append, test, collective };
  static constexpr int no_cpu = -1; // it starts, whatever the rank does
  static constexpr auto no_terms = ~std::uint32_t{0};
  Kind kind = Kind::work;
  std::optional<int> peer;        // none: any source
  std::optional<int> tag;         // none: any tag; of a put: nothing is sent, but it counts
  Bytes size;                     // size of the message
  Seconds time;                   // time of the work
  std::uint64_t line = 0;         // line of the file, or number in the schedule's unit
  int cpu = 0;                    // the rank's core that starts it; work on different cores overlaps
  std::uint32_t terms = no_terms; // index into the rank's terms (put, append, test) or collectives
  Flops flops;                    // work besides the time
};

// How an operation and the rank's counters act on each other, as in Portals 4.
struct CounterTerms {
  static constexpr auto all = ~std::uint64_t{0};
  std::optional<std::uint32_t> counter; // it grows by one for each message that has left or has come
  std::optional<std::uint32_t> trigger; // it starts the operation, or ends a test, when it reaches the threshold
  std::uint64_t threshold = 0;
  std::uint64_t messages = 1; // number of messages that an append takes
};

// One operation of a rank waits for another to end, or only to start.
struct Dependency {
  std::uint32_t before = 0; // index of the operation that comes first
  std::uint32_t after = 0;
  bool on_start = false;
};

// The graph of one rank; it has no cycles.
struct RankSchedule {
  std::vector<ScheduledOperation> operations;
  std::vector<Dependency> dependencies; // ordered by `before`
  std::vector<CounterTerms> terms{};
  std::vector<CollectiveEvent> collectives{};
};

struct Schedule {
  std::string file;
  std::vector<RankSchedule> ranks;
  const char* unit = "line"; // the unit that `line` counts
  // The communicators of collective calls, the world first. All ranks of one make the same calls in the order of their
  // graphs.
  std::vector<RankGroup> communicators{};
  std::vector<std::string> files{}; // the files that were read; empty: only `file`
};

} // namespace kakehashi
