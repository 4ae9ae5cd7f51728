// A step → what it needs of a GPU's memory.
#pragma once

#include "result/training_step.hpp"
#include "training/kernels.hpp"

namespace kakehashi {

// Weights that a GPU of a stage holds, those of experts apart.
struct StageWeights {
  double common = 0;
  double experts = 0;
  double all() const { return common + experts; }
};
StageWeights weights_of_stage(const Training& training, int stage);

// Replicas that share out a weight, and one of an expert.
double replicas_of(const Training& training);
double expert_replicas_of(const Training& training);

// Of the stage that needs most. `recompute` is none, selective or full.
MemoryUse memory_of(const Training& training, Recompute recompute, const GpuSheet& gpu);

// The stated recomputation, or the least that fits; full, if none does.
Recompute recompute_of(const Training& training, const GpuSheet& gpu);

} // namespace kakehashi
