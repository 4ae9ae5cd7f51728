#include "training/step_memory.hpp"

#include <algorithm>
#include <cmath>

namespace kakehashi {
namespace {

// Assumed: what contexts, libraries and workspace take, about what nvidia-smi shows before a model is there.
constexpr double usual_other = 3e9;

Bytes bytes(double count) {
  return Bytes{static_cast<std::uint64_t>(std::min(std::ceil(count), static_cast<double>(largest_size.count)))};
}

// Bytes of a layer and micro-batch that wait for the backward pass. Source: Korthikanti et al., Reducing Activation
// Recomputation in Large Transformer Models, 2022, section 4, for any widths.
double activations_of_layer(const Training& training, Recompute recompute) {
  const auto& model = training.model;
  const auto slice = slice_of(training);
  const double w = bytes_of(training.precision), t = training.layout.tensor, h = model.hidden;
  const double split = training.splits_sequence ? t : 1;
  if (recompute == Recompute::full)
    return w * slice.tokens * h / split;
  const double active = model.active_experts;
  const double feed_forward = active * (model.is_gated ? 3.0 : 2.0) * model.feed_forward;
  const double routed = model.experts > 1 ? active * h : 0;
  double bytes = slice.tokens * (h * (4 * w + 2) / split +
                                 w * (2 * model.query_width() + 2 * model.kv_width() + feed_forward + routed) / t);
  const double scores = slice.tokens * slice.context * model.heads / t;
  if (training.attention != AttentionKernel::flash && recompute == Recompute::none)
    bytes += scores * (2 * w + 1);
  return bytes;
}

// Micro-batches whose activations a stage keeps at a time, the first one most. Source: Narayanan et al., Efficient
// Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, 2021, section 2.2.
double kept_batches(const Training& training, int stage) {
  const auto& layout = training.layout;
  const double p = layout.pipeline;
  const double all = std::max(1.0, static_cast<double>(training.global_batch) / layout.data / layout.micro_batch);
  const double left = p - stage;
  const double kept = layout.schedule == PipelineSchedule::interleaved
                          ? (2 * (left - 1) + (layout.chunks - 1) * p + 1) / layout.chunks
                      : layout.schedule == PipelineSchedule::zero_bubble ? p
                                                                         : left;
  return std::min(kept, all);
}

MemoryUse memory_of_stage(const Training& training, Recompute recompute, int stage) {
  const auto weights = weights_of_stage(training, stage);
  const double w = bytes_of(training.precision);
  const auto shared = [&](Sharding from) {
    return training.sharding >= from
               ? weights.common / replicas_of(training) + weights.experts / expert_replicas_of(training)
               : weights.all();
  };
  MemoryUse use;
  use.weights = bytes(w * shared(Sharding::parameters));
  use.other = bytes(usual_other);
  if (training.inference) {
    const auto& [batch, prompt, generated] = *training.inference;
    use.activations = bytes(2 * w * layers_of_stage(training, stage) * training.model.kv_width() /
                            training.layout.tensor * batch * (static_cast<double>(prompt) + generated));
    return use;
  }
  use.gradients = bytes(training.gradient_bytes * shared(Sharding::gradients));
  // Master weights, if they differ, and two moments.
  use.optimizer = bytes((w < 4 ? 12 : 8) * shared(Sharding::optimizer));
  const double layers = layers_of_stage(training, stage);
  double kept = layers * kept_batches(training, stage) * activations_of_layer(training, recompute);
  if (recompute == Recompute::full) // one layer runs again at a time
    kept += activations_of_layer(training, Recompute::none);
  if (stage == training.layout.pipeline - 1)
    kept += slice_of(training).tokens * training.model.vocabulary / training.layout.tensor * (w + 4);
  use.activations = bytes(kept);
  return use;
}

} // namespace

StageWeights weights_of_stage(const Training& training, int stage) {
  const auto counts = weights_of(training.model);
  const auto& layout = training.layout;
  const double layers = layers_of_stage(training, stage);
  const bool is_first = stage == 0, is_last = stage == layout.pipeline - 1;
  const double tables = is_first && is_last ? (training.model.ties_embeddings ? 1 : 2) : is_first || is_last ? 1 : 0;
  return {(layers * counts.layer + tables * counts.table) / layout.tensor,
          layers * counts.layer_experts / layout.tensor / layout.expert};
}

double replicas_of(const Training& training) {
  return static_cast<double>(training.layout.data) * training.layout.context;
}

double expert_replicas_of(const Training& training) {
  return std::max(1.0, replicas_of(training) / training.layout.expert);
}

MemoryUse memory_of(const Training& training, Recompute recompute, const GpuSheet& gpu) {
  MemoryUse most;
  for (int stage = 0; stage < training.layout.pipeline; ++stage)
    if (const auto use = memory_of_stage(training, recompute, stage); use.all() > most.all())
      most = use;
  most.size = gpu.size;
  return most;
}

Recompute recompute_of(const Training& training, const GpuSheet& gpu) {
  if (training.inference)
    return Recompute::none;
  if (training.recompute != Recompute::fit)
    return training.recompute;
  for (const auto each : {Recompute::none, Recompute::selective})
    if (memory_of(training, each, gpu).fits())
      return each;
  return Recompute::full;
}

} // namespace kakehashi
