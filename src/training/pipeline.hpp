// The work of stages on micro-batches, and a schedule → when each piece of it runs.
#pragma once

#include "result/training_step.hpp"

#include <functional>

namespace kakehashi {

enum class StageWork { forward, backward, weights };

// Of a stage and chunk, for one micro-batch.
struct StageCosts {
  PerPart<Seconds> forward{};
  PerPart<Seconds> backward{};
  PerPart<Seconds> weights{}; // apart from `backward` where the schedule runs them later
};
Seconds sum(const PerPart<Seconds>& parts);

struct PipelineJob {
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int stages = 1;
  int chunks = 1;
  int batches = 1;
  Seconds send;              // to the next stage
  bool sends_beside = false; // while the stage computes on
  std::function<const StageCosts&(int stage, int chunk)> costs;
};

struct StageRun {
  PerPart<Seconds> parts{}; // with waits
  Seconds first_forward;    // the end of its first one
  Seconds last_backward;    // the start of its last one, or of its last weights
  Seconds end;
};

struct PipelineRun {
  std::vector<StageRun> stages;
  std::vector<StepEvent> events;
  std::vector<StepStretch> path; // to the end of the stage that ends last
  Seconds end;
};

// Requires whole rounds of stages, if they interleave. Runs the pieces in the order of the schedule. Of many
// micro-batches it runs some, whose rhythm stands for the rest.
PipelineRun run_pipeline(const PipelineJob& job, bool keeps_events);

} // namespace kakehashi
