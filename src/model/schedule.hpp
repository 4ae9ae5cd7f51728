// A graph of operations for each rank: each operation waits for those before it.
#pragma once

#include "model/trace_event.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct ScheduledOperation {
  // append: a place for messages of puts, after which the rank goes on at once, as after a put. test: waits for a
  // counter.
  enum class Kind { send, receive, work, put, append, test, collective };
  static constexpr int no_cpu = -1; // starts whatever the rank works on
  static constexpr auto no_terms = ~std::uint32_t{0};
  Kind kind = Kind::work;
  std::optional<int> peer; // none: any source
  std::optional<int> tag;  // none: any; of a put: nothing is sent, it only counts
  Bytes size;              // of what is sent
  Seconds time;            // of work
  std::uint64_t line = 0;  // of the file, or what else the schedule's unit counts
  int cpu = 0;             // of the rank, that starts it: work for different ones goes on side by side
  std::uint32_t terms = no_terms; // which of the rank's, of a put, append or test; of a call, which of its calls
  Flops flops;                    // of work, besides its time
};

// What counters of the rank have to do with an operation, as in Portals 4.
struct CounterTerms {
  static constexpr auto all = ~std::uint64_t{0};
  std::optional<std::uint32_t> counter; // gets one more for each message that has left or has come
  std::optional<std::uint32_t> trigger; // starts it, or ends a test, when it gets to the threshold
  std::uint64_t threshold = 0;
  std::uint64_t messages = 1; // that an append takes
};

// An operation that waits for another one, to end or only to start.
struct Dependency {
  std::uint32_t before = 0; // index of an operation of the rank
  std::uint32_t after = 0;
  bool on_start = false;
};

// Without circles.
struct RankSchedule {
  std::vector<ScheduledOperation> operations;
  std::vector<Dependency> dependencies; // by the operation before
  std::vector<CounterTerms> terms{};
  std::vector<CollectiveEvent> collectives{};
};

struct Schedule {
  std::string file;
  std::vector<RankSchedule> ranks;
  const char* unit = "line"; // what `line` of an operation counts
  // Of collective calls, the world first. All ranks of one make the same calls in it, in the order of their graphs.
  std::vector<RankGroup> communicators{};
  std::vector<std::string> files{}; // that were read; empty: `file` alone
};

} // namespace kakehashi
