// Chakra execution traces, a file of nodes for each rank → a graph of operations for each rank.
//
// A node begins when its data_deps have ended, as in Chakra's feeder. ctrl_deps name the caller, for which nothing
// waits. A stream of the device does one node at a time, and so does the host. The collective calls of a process group
// follow each other by their ids: a group is a communicator of NCCL, whose calls share a stream.
#pragma once

#include "input/trace/gpu/group_calls.hpp"

namespace kakehashi {

// `file` is the name before ".0.et" or ".0.json", as in "llama" for llama.0.et. `groups` is a JSON file with the ranks
// of each process group, {"1": [0, 1]}; empty: only the groups that the traces state. Errors: files that are missing,
// damaged, or of another form, and calls of a group's ranks that do not match.
struct ChakraForm {
  int ranks = 0;
  bool has_speed = false;      // operations without a duration are work
  bool stands_for_all = false; // the first file that is there stands for all ranks
};
Result<DeviceTrace> read_chakra(const std::string& file, const std::string& groups, ChakraForm form);

} // namespace kakehashi
