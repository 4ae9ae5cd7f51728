#include "training/step_memory.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace kakehashi {
namespace {

// Two heads of four in a layer of hidden size eight.
Training small() {
  Training training;
  training.model = {.name = "small",
                    .layers = 2,
                    .hidden = 8,
                    .heads = 2,
                    .kv_heads = 2,
                    .head_size = 4,
                    .feed_forward = 32,
                    .vocabulary = 100,
                    .sequence = 16,
                    .ties_embeddings = true};
  training.layout = {.micro_batch = 3};
  training.global_batch = 3;
  training.precision = Precision::fp16;
  training.attention = AttentionKernel::unfused;
  training.splits_sequence = false;
  training.gradient_bytes = 2;
  return training;
}

double flops_of(const std::vector<Kernel>& kernels) {
  return std::accumulate(kernels.begin(), kernels.end(), 0.0,
                         [](double sum, const Kernel& kernel) { return sum + kernel.flops; });
}

// 24 b s h^2 (1 + s / 6h) for a layer's forward pass, and twice that backward.
TEST(Kernels, HaveTheOperationsOfALayer) {
  const auto training = small();
  const double b = 3, s = 16, h = 8;
  const double layer = 24 * b * s * h * h * (1 + s / (6 * h));
  const auto kernels = layer_kernels(training, slice_of(training));
  EXPECT_DOUBLE_EQ(flops_of(kernels.forward), layer);
  EXPECT_DOUBLE_EQ(flops_of(kernels.backward) + flops_of(kernels.weights), 2 * layer);
  // Biases and norms, 4 h of a layer, count as weights do.
  EXPECT_NEAR(model_flops(training), 3 * (2 * layer + 2 * b * s * h * 100), 3 * 2 * 2 * b * s * 4 * h + 1);
}

TEST(Kernels, AreSharedOutByTensorParallelGpus) {
  auto training = small();
  const double alone = flops_of(layer_kernels(training, slice_of(training)).forward);
  training.layout.tensor = 2;
  EXPECT_DOUBLE_EQ(flops_of(layer_kernels(training, slice_of(training)).forward), alone / 2);
}

// A product of 4096 x 4096 x 4096 in 2 bytes: 137.4 G operations and 100.7 MB, at 312 T/s and 1.555 TB/s.
TEST(Kernels, TakeOperationsAndBytesOneAfterTheOther) {
  const double n = 4096;
  const std::vector<Kernel> kernels{{KernelKind::gemm, 2 * n * n * n, 6 * n * n}};
  const GpuSheet gpu{{312e12}, {1.555e12}, {}, 108};
  const auto times = time_of(kernels, gpu);
  EXPECT_NEAR(times.gemm.value, 137.439e9 / (0.85 * 312e12) + 100.663e6 / (0.82 * 1.555e12), 1e-9);
  EXPECT_EQ(times.memory.value, 0);
}

// Korthikanti et al., equation 1: s b h (34 + 5 a s / h) for a layer of 16 bits; recomputation leaves 2 s b h.
TEST(StepMemory, HasTheActivationsOfALayer) {
  auto training = small();
  const GpuSheet gpu{{312e12}, {1.555e12}, Bytes{40'000'000'000}, 108};
  const double sbh = 16 * 3 * 8, layer = sbh * (34 + 5 * 2 * 16.0 / 8), output = 16 * 3 * 100 * 6;
  EXPECT_EQ(memory_of(training, Recompute::none, gpu).activations.count, 2 * layer + output);
  EXPECT_EQ(memory_of(training, Recompute::full, gpu).activations.count, 2 * 2 * sbh + layer + output);
  EXPECT_EQ(memory_of(training, Recompute::selective, gpu).activations.count, 2 * 34 * sbh + output);
}

// 16 bytes of a weight with gradients of two: 2, 2 and 12; what replicas share out is a fourth.
TEST(StepMemory, HasWeightsGradientsAndOptimizer) {
  auto training = small();
  training.layout.data = 4;
  training.sharding = Sharding::optimizer;
  const GpuSheet gpu{{312e12}, {1.555e12}, {}, 108};
  const double weights = 2 * (12 * 64 + 4 * 8) + 800;
  EXPECT_EQ(all_weights(training.model), weights);
  const auto use = memory_of(training, Recompute::full, gpu);
  EXPECT_EQ(use.weights.count, 2 * weights);
  EXPECT_EQ(use.gradients.count, 2 * weights);
  EXPECT_EQ(use.optimizer.count, 12 * weights / 4);
  EXPECT_TRUE(use.fits());
  training.sharding = Sharding::parameters;
  EXPECT_EQ(memory_of(training, Recompute::full, gpu).weights.count, 2 * weights / 4);
}

TEST(StepMemory, DecidesWhatRunsAgain) {
  auto training = small();
  training.layout.data = 1;
  const auto recompute = [&](std::uint64_t size) {
    return recompute_of(training, {{312e12}, {1.555e12}, Bytes{size}, 108});
  };
  const auto need = [&](Recompute each) { return memory_of(training, each, {{1}, {1}, {}, 0}).all().count; };
  EXPECT_EQ(recompute(need(Recompute::none)), Recompute::none);
  EXPECT_EQ(recompute(need(Recompute::none) - 1), Recompute::selective);
  EXPECT_EQ(recompute(need(Recompute::selective) - 1), Recompute::full);
  training.recompute = Recompute::none;
  EXPECT_EQ(recompute(1), Recompute::none);
}

} // namespace
} // namespace kakehashi
