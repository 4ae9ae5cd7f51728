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
#pragma once

#include "base/error.hpp"
#include "model/schedule.hpp"

namespace kakehashi {

// Decides by the first bytes, with which no text begins.
bool is_binary_goal(std::string_view begin);

// Errors: the file is damaged, has another number of ranks, cycles, or unknown operations.
Result<Schedule> parse_binary_goal(std::string_view bytes, const std::string& file, int ranks);

} // namespace kakehashi
