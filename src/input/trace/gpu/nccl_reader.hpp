// Logs of NCCL → a graph of calls for each rank.
//
// A stream makes one call after the other, and so does a communicator; messages that start together overlap. If lines
// have times, a call also waits for the time at which the host made it. The host waits for nothing, since logs show
// neither what it waits for nor other work of the device.
#pragma once

#include "input/trace/gpu/group_calls.hpp"

namespace kakehashi {

// `file` is a log, or a folder of logs. Ranks are those of the first communicator with `ranks` ranks. Errors: lines
// that cannot be read, communicators without all of their ranks, and ranks' calls that do not match. stands_for_all:
// the log is of one rank, and all do the same.
Result<DeviceTrace> read_nccl(const std::string& file, int ranks, bool stands_for_all);

} // namespace kakehashi
