// A call of NCCL or RCCL on GPUs → how long it runs: steps of equal pieces on channels, at the rates of their links.
#pragma once

#include "gpu/tuner.hpp"
#include "model/gpu_candidate.hpp"

#include <map>

namespace kakehashi {

// Of any calls between the same GPUs; keeps what it has found.
class GpuCollectives {
public:
  explicit GpuCollectives(GpuSystem system, const GpuWishes& wishes = {});

  // Errors: the library would refuse the call, or what is wished.
  Result<GpuTime> time(GpuOperation operation, Bytes size, const GpuWishes& wishes) const;

  // The bytes on each channel of the topology.
  std::vector<double> link_bytes(const std::vector<GpuTime>& calls) const;

  // The bus bandwidth of a ring whose data had all of the links' rate.
  BytesPerSecond link_limit() const;
  // All algorithms with all protocols, but those that are ruled out; none for sends and receives.
  std::vector<GpuCandidate> candidates(GpuOperation operation, Bytes size, const GpuWishes& wishes) const;

  const GpuSystem& system() const { return system_; }
  const GpuGraph& graph() const { return graph_; }

private:
  GpuSystem system_;
  GpuGraph graph_;
  mutable std::map<std::pair<GpuPattern, std::size_t>, ChannelRate> rates_; // by protocol, of all channels
};

// Errors: those of gpu_system.
Result<std::shared_ptr<const GpuCollectives>> gpu_collectives(std::shared_ptr<const Platform> platform,
                                                              std::shared_ptr<Topology> topology,
                                                              const std::vector<std::size_t>& devices,
                                                              const GpuWishes& wishes = {},
                                                              const GpuHandicaps& handicaps = {});

} // namespace kakehashi
