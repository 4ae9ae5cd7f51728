// A step of training on the GPUs of a job → how long it takes, and where the time goes.
#pragma once

#include "training/groups.hpp"
#include "training/step_memory.hpp"

namespace kakehashi {

// Errors: the platform does not state what its GPUs compute in this precision, or how fast their memory is.
Result<GpuSheet> gpu_sheet(const Platform& platform, std::size_t device, const Training& training);

// What is asked of a step beside its time.
struct StepWishes {
  bool keeps_events = false;
  PerParallel<bool> is_free{}; // calls along these dimensions take no time
};

// Errors: those of the calls.
Result<StepTimes> step_times(const Training& training, GpuJob& job, const GpuSheet& gpu, const StepWishes& wishes = {});

// The same for an answer: the prompt's pass and the mean of the tokens that follow.
Result<StepTimes> answer_times(const Training& training, GpuJob& job, const GpuSheet& gpu,
                               const StepWishes& wishes = {});

// A time that no layout can be faster than, without calls.
Seconds least_step(const Training& training, const GpuSheet& gpu);

} // namespace kakehashi
