#include "workload/recorded_gpu_calls.hpp"

#include <numeric>

namespace kakehashi {

std::optional<RecordedGpuCall> gpu_call_of(const CollectiveEvent& event, std::size_t ranks) {
  const auto call = [&](GpuOperation operation, std::uint64_t bytes) {
    return RecordedGpuCall{event.communicator, operation, Bytes{bytes}};
  };
  const auto own = event.size.count;
  const auto listed = std::accumulate(event.sizes.begin(), event.sizes.end(), std::uint64_t{0});
  switch (event.collective) {
  case Collective::allreduce: return call(GpuOperation::allreduce, own);
  case Collective::bcast: return call(GpuOperation::broadcast, own);
  case Collective::reduce: return call(GpuOperation::reduce, own);
  case Collective::allgather: return call(GpuOperation::allgather, own * ranks);
  case Collective::allgatherv: return call(GpuOperation::allgather, listed);
  case Collective::reduce_scatter: return call(GpuOperation::reducescatter, listed);
  case Collective::alltoall: return call(GpuOperation::alltoall, own * ranks);
  case Collective::alltoallv: return call(GpuOperation::alltoall, listed);
  case Collective::barrier: return call(GpuOperation::allreduce, 4); // PyTorch adds one element
  default: return std::nullopt;
  }
}

std::optional<Seconds> time_of(const GpuCalls& calls, const CollectiveEvent& event, std::size_t ranks) {
  const auto call = gpu_call_of(event, ranks);
  const auto found = call ? calls.recorded.find(*call) : calls.recorded.end();
  return found == calls.recorded.end() ? std::nullopt : std::optional(found->second);
}

} // namespace kakehashi
