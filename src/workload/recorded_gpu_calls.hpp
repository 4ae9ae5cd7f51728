// Collective calls of a recording → calls of the GPUs' library.
#pragma once

#include "model/gpu_call.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

// ranks: of the communicator. None: NCCL and RCCL have no such call.
std::optional<RecordedGpuCall> gpu_call_of(const CollectiveEvent& event, std::size_t ranks);

// None: the call takes MPI's algorithms.
std::optional<Seconds> time_of(const GpuCalls& calls, const CollectiveEvent& event, std::size_t ranks);

} // namespace kakehashi
