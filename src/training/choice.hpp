// A step whose layout is open → one with a layout: the fewest GPUs for a replica with which it fits into the memory.
#pragma once

#include "training/step_memory.hpp"

namespace kakehashi {

struct JobSize {
  std::size_t ranks = 1;
  std::size_t per_node = 1; // the most
};

// Fills in what is open, and notes what it took. What is stated stays.
Training resolved(Training training, JobSize job, const GpuSheet& gpu);

// Fills in the replicas and the batch of a layout whose tensor and pipeline are known.
void fill_batch(Training& training, std::size_t ranks);

} // namespace kakehashi
