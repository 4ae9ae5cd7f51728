// Traces of PyTorch's profiler (Kineto), a file of each rank in a folder → a graph of operations for each rank.
#pragma once

#include "input/trace/group_calls.hpp"

namespace kakehashi {

// Errors: files that are missing, damaged, or two of one rank, and calls of ranks that do not fit each other.
Result<DeviceTrace> read_kineto(const std::string& folder, int ranks);

} // namespace kakehashi
