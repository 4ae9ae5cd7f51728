// A graph of operations for each rank: each operation waits for those before it.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct ScheduledOperation {
  enum class Kind { send, receive, work };
  Kind kind = Kind::work;
  std::optional<int> peer; // none: any source
  std::optional<int> tag;  // none: any
  Bytes size;              // of what is sent
  Seconds time;            // of work
  std::uint64_t line = 0;  // of the file, or what else the schedule's unit counts
  int cpu = 0;             // of the rank, that starts it: work for different ones goes on side by side
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
};

struct Schedule {
  std::string file;
  std::vector<RankSchedule> ranks;
  const char* unit = "line"; // what `line` of an operation counts
};

} // namespace kakehashi
