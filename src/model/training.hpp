// A step of training a transformer, or an answer of one, as a scenario states it.
#pragma once

#include "base/units.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// The shape of a transformer that predicts the next token.
struct ModelShape {
  std::string name;
  int layers = 1;
  int hidden = 1;
  int heads = 1;
  int kv_heads = 1; // heads of keys and values, which several heads of queries may share
  int head_size = 1;
  int feed_forward = 1;  // width between the two products of a feed-forward part, or of an expert
  bool is_gated = false; // a third product gates it (SwiGLU)
  int vocabulary = 1;
  int sequence = 1;             // tokens
  int experts = 1;              // of a layer; 1: no mixture
  int active_experts = 1;       // those that a token passes
  bool ties_embeddings = false; // the last stage has the first one's table of words

  double query_width() const { return static_cast<double>(heads) * head_size; }
  double kv_width() const { return static_cast<double>(kv_heads) * head_size; }
};

enum class Precision { fp16, bf16, fp8, fp32 };
inline constexpr std::array<std::string_view, 4> precision_names{"fp16", "bf16", "fp8", "fp32"};
enum class PipelineSchedule { one_forward_one_backward, interleaved, zero_bubble };
inline constexpr std::array<std::string_view, 3> schedule_names{"1f1b", "interleaved", "zero-bubble"};
// What of the forward pass runs again for the backward pass. `fit`: as little as the memory allows.
enum class Recompute { fit, none, selective, full };
inline constexpr std::array<std::string_view, 4> recompute_names{"fit", "none", "selective", "full"};
// What the replicas of a weight share out among themselves.
enum class Sharding { none, optimizer, gradients, parameters };
inline constexpr std::array<std::string_view, 4> sharding_names{"none", "optimizer", "gradients", "parameters"};
// One kernel; or products, and one for mask and softmax; or kernels for scale, mask and softmax, too.
enum class AttentionKernel { flash, unfused, eager };
inline constexpr std::array<std::string_view, 3> attention_names{"flash", "unfused", "eager"};

// What GPUs are divided by. Experts lie in the dimension `data`.
enum class Parallel { tensor, context, data, pipeline, expert };
inline constexpr std::size_t parallel_count = 5;
inline constexpr std::array<std::string_view, parallel_count> parallel_names{"tensor", "context", "data", "pipeline",
                                                                             "expert"};
template <class T> using PerParallel = std::array<T, parallel_count>;

struct Layout {
  int tensor = 1;
  int context = 1;
  int data = 1;
  int pipeline = 1;
  int expert = 1;
  int micro_batch = 1; // sequences
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  int chunks = 1; // of a stage, if the schedule interleaves
  // The dimension in which neighbouring ranks differ, then the others.
  std::array<Parallel, 4> order{Parallel::tensor, Parallel::context, Parallel::data, Parallel::pipeline};

  int along(Parallel dimension) const {
    switch (dimension) {
    case Parallel::tensor: return tensor;
    case Parallel::context: return context;
    case Parallel::data: return data;
    case Parallel::pipeline: return pipeline;
    case Parallel::expert: return expert;
    }
    return 1;
  }
  bool operator==(const Layout&) const = default;
};

// What a scenario states of the parts of the peak and of the memory's rate that kernels reach, and of what a layer's
// forward pass takes at least. None: what training/kernels.hpp takes of the GPU.
struct KernelLaw {
  std::optional<double> gemm;
  std::optional<double> attention; // of one kernel for all of attention
  std::optional<double> memory;
  std::optional<Seconds> launch;
};

struct Training;

// What one GPU did in recorded steps, by kind of kernel, without calls and the optimiser.
struct StepProfile {
  std::string file;
  Seconds gemm;
  Seconds attention; // in one kernel
  Seconds memory;    // all other kernels
  Seconds idle;      // no kernel ran
  int steps = 1;
  std::shared_ptr<const Training> work; // what ran; its layers and micro-batches are those of the GPU
  bool has_output = true;               // it computed the loss
};

// A forward pass for a batch of prompts, and the tokens that follow, one at a time.
struct Inference {
  int batch = 1;
  int prompt = 1;
  int generated = 1;
};

struct Training {
  ModelShape model;
  int global_batch = 1; // sequences
  Layout layout;
  Sharding sharding = Sharding::optimizer;
  Precision precision = Precision::bf16;
  Recompute recompute = Recompute::fit;
  AttentionKernel attention = AttentionKernel::flash;
  bool splits_sequence = true; // tensor parallel GPUs share out the tokens between their products
  int gradient_bytes = 4;
  std::optional<Bytes> bucket;  // of gradients in one call; none: all, or 160 MB where calls run under compute
  PerParallel<bool> overlaps{}; // calls of the dimension run under compute
  KernelLaw law;
  // Of a layer, as measured, without collectives; none: the law.
  std::optional<Seconds> layer_forward;
  std::optional<Seconds> layer_backward;
  std::optional<StepProfile> profile; // by which the law's times are scaled
  std::optional<Inference> inference; // none: a step of training
  bool states_batch = true;           // otherwise it is the model's, or 0
  std::vector<std::string> notes;     // what is assumed
};

// How many layers a chunk of a stage has. Those that are left when all have equally many go to chunks in the middle:
// the first one also has the table of words, and the last one the loss.
int layers_of(const Training& training, int stage, int chunk = 0);
int layers_of_stage(const Training& training, int stage);

// "tensor 8, pipeline 4, data 2, micro-batches of 1, 1f1b"
std::string layout_text(const Training& training);

// A size that does not fit the others, by its key in the scenario.
struct LayoutFault {
  std::string_view key;
  std::string found;
  std::string expected;
};
// Sizes of 0 are open, and fit. Empty: all fit.
std::vector<LayoutFault> layout_faults(const Training& training, std::size_t ranks);

} // namespace kakehashi
