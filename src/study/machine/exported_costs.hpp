// A path → its costs in the terms of a simulator that has one protocol for all pairs of hosts.
#pragma once

#include "result/exported.hpp"
#include "transport/cost.hpp"

#include <span>

namespace kakehashi {

// T(n) of a lone message as a constant and a time for each byte, without penalties of alignment.
struct LinearTime {
  Seconds constant;
  SecondsPerByte per_byte;
};
LinearTime shortest_messages(const Path& path, const std::deque<Channel>& channels);
LinearTime longest_messages(const Path& path, const std::deque<Channel>& channels);

// Returns the costs by size, so that a message over a route of this latency and bandwidth takes T(n).
std::vector<ExportedCosts> costs_of(const Path& path, Seconds latency, BytesPerSecond bandwidth,
                                    const std::deque<Channel>& channels);

// The part of the time for each byte of long messages that is not on the links: copies by cores around an eager
// payload.
SecondsPerByte core_time_of(const ExportedCosts& costs);

} // namespace kakehashi
