// A scenario's step, ready to run, with any work on any platform.
#pragma once

#include "study/training/training_studies.hpp"
#include "training/choice.hpp"
#include "training/step.hpp"

namespace kakehashi {

struct TrainingRun {
  Training work;
  GpuSheet gpu;
  std::shared_ptr<GpuJob> job;
};

// Errors: as of run_training.
Result<TrainingRun> training_run(const Scenario& scenario, std::shared_ptr<const Platform> platform, Training work);

Result<StepTimes> times_of(TrainingRun& run, const StepWishes& wishes = {});

// Of all replicas: tokens of a step, or those that an answer generates, and the model's operations for them.
struct StepWork {
  double tokens = 0;
  double flops = 0;
};
StepWork work_of(const Training& work);

// Where the step was asked for: the file and place of errors that have none.
Errors in_scenario(Errors errors, const Scenario& scenario);

} // namespace kakehashi
