// Chakra execution traces, a file of nodes for each rank → a graph of operations for each rank.
//
// A node begins when its data_deps have ended, as in Chakra's feeder; ctrl_deps name the caller, and nobody waits for
// it. A stream of the device does one node at a time, and so does the host. The collective calls of a process group
// follow each other by their ids: a group is a communicator of NCCL, whose calls share a stream.
#pragma once

#include "input/trace/group_calls.hpp"

namespace kakehashi {

// file: the name before ".0.et" or ".0.json", as in "llama" of llama.0.et. groups: a JSON file with the ranks of each
// process group, {"1": [0, 1]}; empty: only those that the traces state. Errors: files that are missing, damaged, or
// have another form, and calls of a group's ranks that do not fit each other. has_speed: operations without a duration
// are work.
Result<DeviceTrace> read_chakra(const std::string& file, const std::string& groups, int ranks, bool has_speed);

} // namespace kakehashi
