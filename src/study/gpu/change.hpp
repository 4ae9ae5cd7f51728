// Calls of NCCL or RCCL → the same calls with something changed: a link, an adapter, an option, a release.
#pragma once

#include "gpu/times.hpp"
#include "model/scenario.hpp"

namespace kakehashi {

struct GpuSetup {
  std::shared_ptr<const Platform> platform;
  std::vector<std::size_t> ranks; // the device of each
  GpuOperation operation = GpuOperation::allreduce;
  std::vector<Bytes> sizes;
  GpuWishes wishes;
  GpuHandicaps handicaps = {};
};

// The scenario's workload is a benchmark of GPUs.
GpuSetup setup_of(const Scenario& scenario);

// Errors: those of gpu_collectives, or the library would refuse a call.
Result<std::shared_ptr<const GpuCollectives>> collectives_of(const GpuSetup& setup);
Result<std::vector<GpuTime>> times_of(const GpuSetup& setup);

// The wishes with the library's own choice of algorithm and protocol.
inline GpuWishes every_choice(GpuWishes wishes) {
  wishes.algorithm.reset();
  wishes.protocol.reset();
  return wishes;
}

struct GpuChange {
  std::string kind;
  std::string what;
  std::string check; // of a fault: what would confirm it
  std::shared_ptr<const Platform> platform;
  GpuWishes wishes;
  GpuHandicaps handicaps = {};

  GpuSetup of(GpuSetup setup) const {
    setup.platform = platform;
    setup.wishes = wishes;
    setup.handicaps = handicaps;
    return setup;
  }
};

// What could be bought, set or updated. `limits`: those of calls, each once.
std::vector<GpuChange> gpu_what_ifs(const GpuSetup& setup, const GpuCollectives& now,
                                    const std::vector<std::string>& limits);

// Those of machines alone: faster links, adapters more or fewer.
std::vector<GpuChange> gpu_machine_changes(const GpuSetup& setup, const GpuCollectives& now,
                                           const std::vector<std::string>& limits);

// The platform with switches of NVLinks that join so many GPUs of neighbouring nodes, in place of those inside nodes.
// Null: its nodes have none.
std::shared_ptr<const Platform> with_nvlink_domain(const Platform& platform, std::size_t gpus);

// What could be wrong where a log was measured, the usual ones first.
std::vector<GpuChange> gpu_faults(const GpuSetup& setup, const GpuCollectives& now);

} // namespace kakehashi
