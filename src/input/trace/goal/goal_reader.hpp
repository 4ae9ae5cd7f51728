// Schedules in GOAL, the text format of LogGOPSim → a graph of operations for each rank.
//
//   num_ranks 2
//   rank 0 {
//     l1: calc 100
//     l2: send 10b to 1 tag 3
//     l2 requires l1
//   }
//
// An operation has a label if other lines refer to it. `irequires` waits for the start of the other operation. Times
// are in ns. Work for different CPUs overlaps; `nic` has no meaning. A file may also have the form that txt2bin writes
// (goal_binary.cpp).
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

// Errors: all lines that are no GOAL, unknown or repeated labels, cycles, or another number of ranks.
Result<Schedule> read_goal(const std::string& file, int ranks);
Result<Schedule> parse_goal(const std::string& text, const std::string& file, int ranks);

// GOAL as LogGOPSim's txt2bin writes it → a graph of operations for each rank.
//
// Numbers are little-endian and without gaps. From LogGOPSim's Parser.hpp (serialize_mmap):
//
//   u64 4223, u32 ranks, u8 last CPU, u8 last adapter, for each rank u64 begin and u64 end, counted from behind the
//   first number, and the ranks' parts:
//   u32 operations, u32 of them that wait for nothing, u32 index of each of those
//   for each operation: u32 how many it waits for, u8 kind, u32 peer, u64 size in bytes or time in ns, u32 tag, u8 CPU,
//     u8 adapter, u32 how many wait for its end, u32 where their indices begin, and the same two of its start
//   u32 indices
//
// LogGOPSim2 appends 17 or 65 bytes to each operation, for puts. Only the length shows which form a file has.

// Decides by the first bytes, with which no text begins.
bool is_binary_goal(std::string_view begin);

// Errors: the file is damaged, has another number of ranks, cycles, or unknown operations.
Result<Schedule> parse_binary_goal(std::string_view bytes, const std::string& file, int ranks);

// A schedule → a warning if its receives of any tag may take messages of collective calls.

// schedgen of LogGOPSim turns collective calls into messages with tags from 1000000 on (collsbase in
// process_trace.cpp). MPI keeps such messages from receives of any tag; a schedule does not.
std::vector<std::string> warnings_of_tags(const Schedule& schedule);

} // namespace kakehashi
