// Traces of GPUs by Chakra, by Kineto and by NCCL → graphs of operations.
#pragma once

#include "input/trace/gpu/group_calls.hpp"
#include "model/training.hpp"

namespace kakehashi {

// Chakra execution traces, a file of nodes for each rank → a graph of operations for each rank.
//
// A node begins when its data_deps have ended, as in Chakra's feeder. ctrl_deps name the caller, for which nothing
// waits. A stream of the device does one node at a time, and so does the host. The collective calls of a process group
// follow each other by their ids: a group is a communicator of NCCL, whose calls share a stream.

// `file` is the name before ".0.et" or ".0.json", as in "llama" for llama.0.et. `groups` is a JSON file with the ranks
// of each process group, {"1": [0, 1]}; empty: only the groups that the traces state. Errors: files that are missing,
// damaged, or of another form, and calls of a group's ranks that do not match.
struct ChakraForm {
  int ranks = 0;
  bool has_speed = false;      // operations without a duration are work
  bool stands_for_all = false; // the first file that is there stands for all ranks
};
Result<DeviceTrace> read_chakra(const std::string& file, const std::string& groups, ChakraForm form);

// Traces of PyTorch's profiler (Kineto), one file per rank in a folder → a graph of operations for each rank.

// `folder` may also be a file. stands_for_all: it has the trace of one rank, and all do the same. Errors: files are
// missing, damaged, or of the same rank; ranks' calls do not match.
Result<DeviceTrace> read_kineto(const std::string& folder, int ranks, bool stands_for_all);

// Logs of NCCL → a graph of calls for each rank.
//
// A stream makes one call after the other, and so does a communicator; messages that start together overlap. If lines
// have times, a call also waits for the time at which the host made it. The host waits for nothing, since logs show
// neither what it waits for nor other work of the device.

// `file` is a log, or a folder of logs. Ranks are those of the first communicator with `ranks` ranks. Errors: lines
// that cannot be read, communicators without all of their ranks, and ranks' calls that do not match. stands_for_all:
// the log is of one rank, and all do the same.
Result<DeviceTrace> read_nccl(const std::string& file, int ranks, bool stands_for_all);

// What a kernel does by its name.
enum class KernelName { call, optimizer, attention, gemm, other };
KernelName kernel_name(std::string_view name);

// The trace of one rank by Kineto, or by Chakra (then without times at which nothing ran) → times by kind of kernel,
// and the profiler's steps; 0: unknown. The work is not in it. Errors: there is no kernel, as in logs of NCCL.
Result<StepProfile> read_step_profile(const std::string& file);

} // namespace kakehashi
