// Logs of NCCL → a graph of calls for each rank.
//
// A stream makes one call after the other, and so does a communicator; messages that are started together go on side by
// side. Where lines have times, a call also waits for the time at which the host made it; the host waits for nothing,
// since logs do not have what it waits for, nor other work of the device.
#pragma once

#include "input/trace/group_calls.hpp"

namespace kakehashi {

// file: a log, or a folder of logs. Ranks are those of the first communicator of so many. Errors: lines that cannot be
// read, communicators of which ranks are missing, and calls of ranks that do not fit each other.
Result<DeviceTrace> read_nccl(const std::string& file, int ranks);

} // namespace kakehashi
