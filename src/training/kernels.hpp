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

// What a GPU computes and moves by its data sheet. Errors: the platform does not state it.
struct GpuSheet {
  FlopsPerSecond peak;
  BytesPerSecond memory;
  std::optional<Bytes> size;
  int units = 0;
};

struct KernelTimes {
  Seconds gemm;
  Seconds attention;
  Seconds memory;
  Seconds all() const { return gemm + attention + memory; }
};
KernelTimes time_of(const std::vector<Kernel>& kernels, const GpuSheet& gpu, const KernelLaw& law);

} // namespace kakehashi
