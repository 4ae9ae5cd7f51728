// What NCCL or RCCL could take for a call, and how its bandwidth is counted.
#pragma once

#include "model/gpu_call.hpp"

namespace kakehashi {

// Of the bus over the algorithm's bandwidth. Source: nccl-tests, doc/PERFORMANCE.md.
constexpr double bus_factor(GpuOperation operation, double ranks) {
  switch (operation) {
  case GpuOperation::allreduce: return 2 * (ranks - 1) / ranks;
  case GpuOperation::allgather:
  case GpuOperation::reducescatter:
  case GpuOperation::alltoall: return (ranks - 1) / ranks;
  default: return 1;
  }
}

// An algorithm with a protocol.
struct GpuCandidate {
  GpuAlgorithm algorithm = GpuAlgorithm::ring;
  GpuProtocol protocol = GpuProtocol::simple;
  std::optional<Seconds> tuner; // what the library's own model of costs expects; none: it has none
  std::optional<Seconds> time;  // by ours; none: the library would refuse it
  std::string refusal;
};

} // namespace kakehashi
