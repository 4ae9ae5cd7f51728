// Benchmarks of NCCL and RCCL, or their logs → why they take their time, what would change or explain that, and which
// algorithm and protocol to take for each operation and size.
#pragma once

#include "model/scenario.hpp"
#include "result/gpu_explanation.hpp"
#include "result/gpu_tuning.hpp"

#include <span>

namespace kakehashi {

bool is_of_gpus(const Scenario& scenario);

// The scenario's workload is a benchmark of GPUs. Errors: it cannot run.
Result<GpuExplanation> explain_gpus(const Scenario& scenario);

// The scenarios are benchmarks of GPUs on one platform, with logs as their references. Errors: they cannot run.
Result<GpuLogExplanation> explain_gpu_logs(std::span<const Scenario> scenarios);

struct GpuTuneRequest {
  std::vector<GpuOperation> operations; // those whose algorithms a user can choose
  std::vector<Bytes> sizes;             // ascending
  double margin = 0;                    // as a share
};
inline constexpr std::array tunable_gpu_operations{GpuOperation::allreduce, GpuOperation::allgather,
                                                   GpuOperation::reducescatter, GpuOperation::broadcast,
                                                   GpuOperation::reduce};

// The scenario's workload is a benchmark of GPUs. Errors: it cannot run.
Result<GpuTuning> tune_gpus(const Scenario& scenario, const GpuTuneRequest& request);

} // namespace kakehashi
