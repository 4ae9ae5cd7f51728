// A step or an answer → its calls of collectives, each with its time and how often a GPU makes it.
#pragma once

#include "training/groups.hpp"
#include "training/step_memory.hpp"

#include <cmath>

namespace kakehashi {

class StepCalls {
public:
  // `is_free`: calls along these dimensions take no time, and are not counted. `batches`: micro-batches of a replica.
  StepCalls(const Training& training, GpuJob& job, const PerParallel<bool>& is_free, const Slice& slice, int batches)
      : training_(training), job_(job), is_free_(is_free), slice_(slice), batches_(batches) {}

  // Of one call. Sends go to the next GPU along the dimension.
  Seconds call(Parallel dimension, GpuOperation operation, double bytes, double count);

  // Of a layer and micro-batch. `passes`: forward and backward passes of which these are the calls; 0: they are
  // counted.
  Seconds tensor(double passes);
  Seconds context(bool is_backward);
  Seconds expert(double passes);
  Seconds weights(bool is_backward); // that replicas share out
  // To the next stage.
  Seconds send();
  // Of all gradients and weights of a stage, and of its part of the table of words.
  struct Gradients {
    Seconds added;
    double buckets = 1;
    Seconds gathered;
    Seconds tables;
  };
  Gradients gradients(int stage);

  std::vector<StepCall> made;
  Errors errors; // of the first call that failed

private:
  // Of the stage that has most.
  double layers() const { return std::ceil(static_cast<double>(training_.model.layers) / training_.layout.pipeline); }
  double width() const { return static_cast<double>(bytes_of(training_.precision)); }

  const Training& training_;
  GpuJob& job_;
  const PerParallel<bool>& is_free_;
  Slice slice_;
  int batches_;
};

} // namespace kakehashi
