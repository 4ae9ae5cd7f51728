#include "training/kernels.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi {
namespace {

// Bytes of values pass memory in the precision of activations; masks of dropout have one byte. The counts of passes are
// those of the usual fused kernels: norms, bias with dropout and residual, bias with activation, scaled masked softmax.
class Builder {
public:
  Builder(const Training& training, PassKernels& pass) : training_(training), pass_(pass) {}

  // A product of m x k by k x n, `count` times, and its two gradients.
  void gemm(double m, double n, double k, double count = 1, bool has_weights = true) {
    const double w = bytes_of(training_.precision);
    const bool is_narrow = training_.precision == Precision::fp8 && has_weights;
    const double in = is_narrow ? 1 : w;
    const Kernel kernel{KernelKind::gemm, count * 2 * m * n * k, count * (w * m * n + in * (n * k + m * k))};
    pass_.forward.push_back(kernel);
    pass_.backward.push_back(kernel);
    (has_weights ? pass_.weights : pass_.backward).push_back(kernel);
    if (is_narrow) // 2 bytes become 1, and 1 transposed
      memory(4 * count * m * k, 4 * count * m * n);
  }
  void memory(double forward, double backward) {
    pass_.forward.push_back({KernelKind::memory, 0, forward});
    pass_.backward.push_back({KernelKind::memory, 0, backward});
  }
  void attention(double forward, double backward, double bytes) {
    pass_.forward.push_back({KernelKind::attention, forward, bytes});
    pass_.backward.push_back({KernelKind::attention, backward, 2 * bytes});
  }

private:
  const Training& training_;
  PassKernels& pass_;
};

// Tokens of a sequence on this GPU, and those before it.
void add_attention(const Training& training, const Slice& slice, Builder& add) {
  const auto& model = training.model;
  const double heads = slice.batch * model.heads / training.layout.tensor;
  const double own = slice.tokens / slice.batch;
  const double scores = heads * own * slice.context;
  const double w = bytes_of(training.precision);
  if (training.attention != AttentionKernel::flash) {
    add.gemm(own, slice.context, model.head_size, heads, false);
    add.gemm(own, model.head_size, slice.context, heads, false);
    // Softmax reads and writes; dropout reads, writes, and has a mask.
    add.memory(scores * (4 * w + 1), scores * (5 * w + 1));
    if (training.attention == AttentionKernel::eager) // so do scale and mask
      add.memory(scores * (4 * w + 1), scores * (4 * w + 1));
    return;
  }
  // Half of the scores are masked, and their tiles left out. The backward pass has five products for two.
  const double kv = model.kv_width() / model.query_width();
  const double masked = own > 1 ? 0.5 : 1;
  const double flops = masked * 4 * scores * model.head_size;
  add.attention(flops, 2.5 * flops, w * heads * model.head_size * (2 * own + 2 * kv * slice.context));
}

void add_feed_forward(const Training& training, const Slice& slice, Builder& add) {
  const auto& model = training.model;
  const double t = training.layout.tensor, h = model.hidden, f = model.feed_forward / t;
  const double w = bytes_of(training.precision);
  double rows = slice.tokens, count = 1;
  if (model.experts > 1) { // tokens of the whole group of experts spread evenly
    count = static_cast<double>(model.experts) / training.layout.expert;
    rows = slice.tokens * model.active_experts / count;
    add.gemm(slice.tokens, model.experts, h);
    add.memory(slice.tokens * model.active_experts * h * 2 * w, slice.tokens * model.active_experts * h * 2 * w);
  }
  add.gemm(rows, (model.is_gated ? 2 : 1) * f, h, count);
  const double passed = count * rows * f * w;
  add.memory((model.is_gated ? 3 : 2) * passed, (model.is_gated ? 5 : 3) * passed);
  add.gemm(rows, h, f, count);
}

} // namespace

int bytes_of(Precision precision) {
  return precision == Precision::fp32 ? 4 : 2;
}

Slice slice_of(const Training& training) {
  const double own = static_cast<double>(training.model.sequence) / training.layout.context;
  const double batch = training.layout.micro_batch;
  return {batch * own, static_cast<double>(training.model.sequence), batch};
}

PassKernels layer_kernels(const Training& training, const Slice& slice) {
  const auto& model = training.model;
  const double t = training.layout.tensor, h = model.hidden, w = bytes_of(training.precision);
  const double q = model.query_width() / t, kv = model.kv_width() / t;
  PassKernels pass;
  Builder add(training, pass);
  const double whole = slice.tokens * h * w / (training.splits_sequence ? t : 1);
  add.memory(4 * whole, 6 * whole); // two norms
  add.memory(7 * whole, 5 * whole); // two sums with the residual, and their masks
  add.gemm(slice.tokens, q + 2 * kv, h);
  add.memory(2 * slice.tokens * (q + 2 * kv) * w, 2 * slice.tokens * (q + 2 * kv) * w); // into heads
  add_attention(training, slice, add);
  add.gemm(slice.tokens, h, q);
  add_feed_forward(training, slice, add);
  return pass;
}

PassKernels input_kernels(const Training& training, const Slice& slice) {
  PassKernels pass;
  const double w = bytes_of(training.precision), values = slice.tokens * training.model.hidden;
  Builder(training, pass).memory(2 * w * values, (w + 2 * training.gradient_bytes) * values);
  return pass;
}

PassKernels output_kernels(const Training& training, const Slice& slice) {
  PassKernels pass;
  Builder add(training, pass);
  const double n = static_cast<double>(training.model.vocabulary) / training.layout.tensor;
  add.gemm(slice.tokens, n, training.model.hidden);
  // The loss in single precision, as Megatron-LM computes it: a copy, maximum, difference, exponential, sum, quotient;
  // and backward a product and a copy.
  add.memory(38 * slice.tokens * n, 14 * slice.tokens * n);
  return pass;
}

std::vector<Kernel> optimizer_kernels(const Training& training, double weights, double updated) {
  const double w = bytes_of(training.precision), g = training.gradient_bytes;
  // Adam reads the gradient, reads and writes the master weight and two moments, and writes the weight. All gradients
  // are set to zero, checked and scaled.
  return {{KernelKind::memory, 0, updated * (g + 24 + w)}, {KernelKind::memory, 0, 3 * g * weights}};
}

WeightCounts weights_of(const ModelShape& model) {
  const double h = model.hidden;
  const double feed_forward = (model.is_gated ? 3.0 : 2.0) * h * model.feed_forward;
  WeightCounts counts;
  counts.layer = h * (2 * model.query_width() + 2 * model.kv_width()) + 4 * h;
  if (model.experts > 1) {
    counts.layer += h * model.experts;
    counts.layer_experts = feed_forward * model.experts;
  } else {
    counts.layer += feed_forward;
  }
  counts.table = h * model.vocabulary;
  return counts;
}

double all_weights(const ModelShape& model) {
  const auto counts = weights_of(model);
  return model.layers * (counts.layer + counts.layer_experts) + (model.ties_embeddings ? 1 : 2) * counts.table;
}

double model_flops(const Training& training) {
  const auto& model = training.model;
  const auto counts = weights_of(model);
  const double active = counts.layer + counts.layer_experts * model.active_experts / model.experts;
  const double attention = 2.0 * model.query_width() * model.sequence; // multiplications of a token
  const double of_token = model.layers * (active + attention) + counts.table;
  return 6 * of_token * model.sequence * training.global_batch;
}

// A product takes its operations at a part of the peak and, since little of it overlaps, its bytes at a part of the
// memory's rate: its efficiency rises with each of its three sides.
KernelTimes time_of(const std::vector<Kernel>& kernels, const GpuSheet& gpu) {
  KernelTimes times;
  for (const auto& kernel : kernels) {
    const double part = kernel.kind == KernelKind::attention ? gpu.attention_part : gpu.gemm_part;
    const auto time =
        gpu.scale[static_cast<std::size_t>(kernel.kind)] *
        Seconds{kernel.flops / (part * gpu.peak.value) + kernel.bytes / (gpu.memory_part * gpu.memory.value)};
    switch (kernel.kind) {
    case KernelKind::gemm: times.gemm += time; break;
    case KernelKind::attention: times.attention += time; break;
    case KernelKind::memory: times.memory += time; break;
    }
  }
  return times;
}

void set_parts(const ComputeSheet& compute, const Training& training, GpuSheet& gpu) {
  constexpr double reached_on_a100 = 271.2 / 312; // of the peak: nodes/dgx-a100.json
  constexpr GpuSheet usual{};
  const auto reached = [](const auto& rate, const auto& peak, double otherwise) {
    return rate && peak ? rate->value / peak->value : otherwise;
  };
  const double half = reached(compute.fp16_reached, compute.fp16, reached_on_a100);
  const double own = training.precision == Precision::fp8 ? reached(compute.fp8_reached, compute.fp8, half) : half;
  const auto& law = training.law;
  gpu.gemm_part = law.gemm.value_or(std::min(1.0, usual.gemm_part * own / reached_on_a100));
  // Attention stays in 16 bits.
  const double narrower =
      training.precision == Precision::fp8 && compute.fp16 ? compute.fp16->value / gpu.peak.value : 1;
  gpu.attention_part = law.attention.value_or(usual.attention_part * half / reached_on_a100 * narrower);
  gpu.memory_part = law.memory.value_or(usual.memory_part);
  gpu.launch = law.launch.value_or(usual.launch);
}

void set_profile(const StepProfile& profile, const GpuSheet& gpu, GpuSheet& scaled) {
  const auto& work = *profile.work;
  const auto slice = slice_of(work);
  const auto kernels = layer_kernels(work, slice);
  const double forwards = work.recompute == Recompute::full ? 2 : 1;
  const double batches = static_cast<double>(work.global_batch) / work.layout.micro_batch * profile.steps;
  const double layers = batches * work.model.layers, outputs = profile.has_output ? batches : 0;
  KernelTimes law;
  const auto add = [&](double times, const std::vector<Kernel>& list) {
    const auto time = time_of(list, gpu);
    law.gemm += times * time.gemm;
    law.attention += times * time.attention;
    law.memory += times * time.memory;
  };
  add(forwards * layers, kernels.forward);
  for (const auto* list : {&kernels.backward, &kernels.weights})
    add(layers, *list);
  for (const auto& ends : {input_kernels(work, slice), output_kernels(work, slice)})
    for (const auto* list : {&ends.forward, &ends.backward, &ends.weights})
      add(outputs, *list);
  // A kind that the recording or the work lacks keeps the law.
  const std::array pairs{std::pair(profile.gemm, law.gemm), std::pair(profile.attention, law.attention),
                         std::pair(profile.memory, law.memory)};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].first.value > 0 && pairs[i].second.value > 0)
      scaled.scale[i] = pairs[i].first / pairs[i].second;
  scaled.launch = {};
  scaled.idle = (1 / ((forwards + 2) * layers)) * profile.idle;
}

} // namespace kakehashi
