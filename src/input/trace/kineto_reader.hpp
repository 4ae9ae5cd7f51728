// Traces of PyTorch's profiler (Kineto), one file per rank in a folder → a graph of operations for each rank.
#pragma once

#include "input/trace/group_calls.hpp"

namespace kakehashi {

// Errors: files are missing, damaged, or of the same rank; ranks' calls do not match.
Result<DeviceTrace> read_kineto(const std::string& folder, int ranks);

} // namespace kakehashi
