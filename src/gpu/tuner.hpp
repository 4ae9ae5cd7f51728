// A call → the algorithm and protocol that the library takes: its own model of costs, with the numbers of its release.
#pragma once

#include "gpu/channels.hpp"

namespace kakehashi {

struct TunedChoice {
  std::optional<GpuAlgorithm> algorithm; // none: sends and receives
  GpuProtocol protocol = GpuProtocol::simple;
  Seconds time; // by the library's model
};

// What the library expects of an algorithm with a protocol. Errors: why it does not run that.
Result<Seconds> tuner_time(const GpuSystem& system, const GpuGraph& graph, GpuOperation operation, Bytes size,
                           GpuAlgorithm algorithm, GpuProtocol protocol, const GpuWishes& wishes = {});

// The fastest by that model of those that the wishes allow. Errors: there is none.
Result<TunedChoice> choose(const GpuSystem& system, const GpuGraph& graph, GpuOperation operation, Bytes size,
                           const GpuWishes& wishes);

} // namespace kakehashi
