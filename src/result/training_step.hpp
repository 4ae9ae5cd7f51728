// A step of training, or an answer of a model: how long it takes, where that goes, and what memory it needs.
#pragma once

#include "model/training.hpp"

#include <map>
#include <string>
#include <vector>

namespace kakehashi {

// What a GPU's time goes to. Collectives count as far as they are not hidden.
enum class StepPart { gemm, attention, memory, launch, tensor, context, expert, pipeline, data, optimizer, bubble };
inline constexpr std::size_t step_part_count = 11;
inline constexpr std::array<std::string_view, step_part_count> step_part_names{
    "gemm", "attention", "memory", "launch", "tensor", "context", "expert", "pipeline", "data", "optimizer", "bubble"};
inline constexpr std::array<std::string_view, step_part_count> step_part_titles{
    "products of matrices",    "attention",
    "passes over memory",      "starting kernels",
    "tensor parallel calls",   "context parallel calls",
    "calls between experts",   "sends between stages",
    "data parallel calls",     "optimiser",
    "waiting for other stages"};
template <class T> using PerPart = std::array<T, step_part_count>;

// Something that a stage does, on the stream of its compute or on that of a dimension's calls.
struct StepEvent {
  int stage = 0;
  std::string stream; // "compute", "tensor", "pipeline", "data", …
  std::string name;   // "F3", "B3", "W3": forward, backward and weights of a micro-batch
  Seconds from;
  Seconds to;
};

// A kind of call of a step.
struct StepCall {
  Parallel dimension = Parallel::tensor;
  std::string what; // "allreduce"
  Bytes size;
  std::size_t ranks = 0;
  std::size_t nodes = 0;
  double sharing = 1; // groups whose bytes pass the same adapter
  std::string how;    // "Ring LL128"
  std::string limit;
  Seconds time;
  double count = 0; // in a step, of one GPU
};

struct MemoryUse {
  Bytes weights;
  Bytes gradients;
  Bytes optimizer;
  Bytes activations; // or keys and values of tokens
  Bytes other;       // assumed: contexts, buffers of collectives, workspace
  std::optional<Bytes> size;
  Bytes all() const { return weights + gradients + optimizer + activations + other; }
  bool fits() const { return !size || all() <= *size; }
};

// Stretches of the chain of events that sets the step's time.
struct StepStretch {
  int stage = 0;
  std::string what; // "forward", "backward", "send", …
  std::size_t count = 0;
  Seconds from;
  Seconds to;
};

struct StepTimes {
  Seconds step;
  PerPart<Seconds> parts{}; // of the stage that takes longest; their sum is the step
  int stage = 0;            // that one
  double bubble = 0;        // mean share of the step in which stages wait for others
  std::vector<StepCall> calls;
  std::vector<StepEvent> events; // of the first replica; empty: not asked for
  std::vector<StepStretch> path;
  MemoryUse memory; // of the stage that needs most
  Recompute recompute = Recompute::none;
  // Of an answer.
  Seconds first_token;
  Seconds next_token; // mean
};

struct TrainingRecord {
  std::string scenario;
  std::string platform;
  std::string gpu; // model
  std::string library;
  std::size_t gpus = 0;
  std::size_t nodes = 0;
  Training work;
  StepTimes times;
  double flops = 0;                              // of the model in a step
  double peak = 0;                               // flop/s of a GPU
  double tokens = 0;                             // of a step
  PerParallel<std::optional<Seconds>> exposed{}; // what the step would save without the dimension's calls
  std::vector<std::string> notes;

  double tokens_per_second() const { return tokens / times.step.value; }
  double utilisation() const { return flops / times.step.value / peak / static_cast<double>(gpus); }
};

// The same step with something changed.
struct TrainingChange {
  std::string kind;
  std::string what;
  std::optional<Seconds> step; // none: it cannot run so
  bool fits = true;
  std::string refusal;
};

struct TrainingExplanation {
  TrainingRecord record;
  std::vector<TrainingChange> changes; // the best first
};

struct TrainingPoint {
  Layout layout;
  Recompute recompute = Recompute::none;
  StepTimes times;
  double utilisation = 0;
  double tokens = 0;    // of a step, or of all answers
  bool is_tied = false; // no farther from the best than predictions can show
};

struct TrainingSweep {
  TrainingRecord base;               // of the scenario as it is
  std::vector<TrainingPoint> points; // the best first
  std::size_t tried = 0;
  std::size_t pruned = 0; // a bound shows that they are worse
  std::size_t unfit = 0;  // too little memory
  double tie = 0;         // share within which points count as equal
};

} // namespace kakehashi
