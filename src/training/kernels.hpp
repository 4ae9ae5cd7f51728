// A layer of a transformer on one GPU → the products of matrices and passes over memory of its kernels, and their
// times.
#pragma once

#include "model/platform.hpp"
#include "model/training.hpp"

#include <vector>

namespace kakehashi {

enum class KernelKind { gemm, attention, memory };

struct Kernel {
  KernelKind kind = KernelKind::memory;
  double flops = 0;
  double bytes = 0; // that pass the GPU's memory
};

// Of the forward and the backward pass; gradients of weights apart, which some schedules run later.
struct PassKernels {
  std::vector<Kernel> forward;
  std::vector<Kernel> backward;
  std::vector<Kernel> weights;
};

// What of the model one GPU has to do with at a time.
struct Slice {
  double tokens = 0;  // that it passes through its products
  double context = 0; // tokens that each of them attends to
  double batch = 0;   // sequences
};
Slice slice_of(const Training& training);

PassKernels layer_kernels(const Training& training, const Slice& slice);
// Rows of the table of words, and their gradients.
PassKernels input_kernels(const Training& training, const Slice& slice);
// The product with the table of words, and the loss.
PassKernels output_kernels(const Training& training, const Slice& slice);
// One pass over the weights and what the optimiser keeps of them; `weights` of a GPU, and those that it updates.
std::vector<Kernel> optimizer_kernels(const Training& training, double weights, double updated);

// Floating-point operations of the model for a step, without what is computed twice; attention to all tokens, as usual.
double model_flops(const Training& training);

// Weights of a layer, without experts and of experts alone, and of the table of words; of the whole model.
struct WeightCounts {
  double layer = 0;
  double layer_experts = 0;
  double table = 0;
};
WeightCounts weights_of(const ModelShape& model);
double all_weights(const ModelShape& model);

int bytes_of(Precision precision); // of a value in memory: fp8 has weights and activations of 2 bytes

// What a GPU computes and moves by its data sheet, the parts of that which kernels reach, and how a profile changes
// their times. Source of the parts and of the launch: docs/evidence/training.md, by A100.
struct GpuSheet {
  FlopsPerSecond peak;
  BytesPerSecond memory;
  std::optional<Bytes> size;
  int units = 0;
  double gemm_part = 0.85;
  double attention_part = 0.6; // in one kernel
  double memory_part = 0.82;
  Seconds launch{1.05e-3};              // what a layer's forward pass takes at least: the processor starts its kernels
  std::array<double, 3> scale{1, 1, 1}; // by kind of kernel
  Seconds idle{};                       // added to each forward pass of a layer, and twice to a backward one
};

struct KernelTimes {
  Seconds gemm;
  Seconds attention;
  Seconds memory;
  Seconds all() const { return gemm + attention + memory; }
};
KernelTimes time_of(const std::vector<Kernel>& kernels, const GpuSheet& gpu);

// The parts of a GPU with this sheet that the scenario states, or else: products reach 0.978 of what large ones do as
// measured, and attention 0.706 of what products do, as on A100.
void set_parts(const ComputeSheet& compute, const Training& training, GpuSheet& gpu);
// Scales the kernels' times so that the law gives a profile's. `gpu`: of the same GPU and the profile's work.
void set_profile(const StepProfile& profile, const GpuSheet& gpu, GpuSheet& scaled);

} // namespace kakehashi
