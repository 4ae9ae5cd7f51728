// Traces of PyTorch's profiler (Kineto), one file per rank in a folder → a graph of operations for each rank.
#pragma once

#include "input/trace/gpu/group_calls.hpp"

namespace kakehashi {

// `folder` may also be a file. stands_for_all: it has the trace of one rank, and all do the same. Errors: files are
// missing, damaged, or of the same rank; ranks' calls do not match.
Result<DeviceTrace> read_kineto(const std::string& folder, int ranks, bool stands_for_all);

} // namespace kakehashi
