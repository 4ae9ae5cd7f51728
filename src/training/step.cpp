#include "training/step.hpp"

#include "training/pipeline.hpp"
#include "training/step_calls.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

Seconds& at(PerPart<Seconds>& parts, StepPart part) {
  return parts[static_cast<std::size_t>(part)];
}

// Adds up the costs of a step.
class Step {
public:
  Step(const Training& training, GpuJob& job, const GpuSheet& gpu, const StepWishes& wishes)
      : training_(training), gpu_(gpu), wishes_(wishes), slice_(slice_of(training)),
        batches_(std::max(1, training.global_batch / training.layout.data / training.layout.micro_batch)),
        calls_(training, job, wishes.is_free, slice_, batches_) {
    times_.recompute = recompute_of(training, gpu);
    times_.memory = memory_of(training, times_.recompute, gpu);
  }

  Result<StepTimes> run() {
    make_layers();
    const auto job = pipeline_job();
    if (!calls_.errors.empty())
      return calls_.errors;
    auto run = run_pipeline(job, wishes_.keeps_events);
    finish(run);
    if (!calls_.errors.empty())
      return calls_.errors;
    times_.calls = std::move(calls_.made);
    return std::move(times_);
  }

private:
  const Layout& layout() const { return training_.layout; }
  bool overlaps(Parallel dimension) const { return training_.overlaps[static_cast<std::size_t>(dimension)]; }

  // Calls under compute make it slower: their channels take some of the GPU's units.
  double slowdown() const {
    constexpr double usual_channels = 16; // assumed: of a call
    return gpu_.units > 0 ? std::min(0.5, usual_channels / gpu_.units) : 0;
  }

  void add_kernels(const std::vector<Kernel>& kernels, PerPart<Seconds>& parts) const {
    const auto times = time_of(kernels, gpu_);
    at(parts, StepPart::gemm) += times.gemm;
    at(parts, StepPart::attention) += times.attention;
    at(parts, StepPart::memory) += times.memory;
  }

  // Calls under compute show only what is longer than that; the compute itself is slower by the units that they take.
  void add_calls(StepPart part, Seconds time, bool is_hidden, Seconds compute, PerPart<Seconds>& parts) const {
    if (!is_hidden) {
      at(parts, part) += time;
      return;
    }
    const auto hidden = std::min(time, compute);
    at(parts, part) += time - hidden + slowdown() * hidden;
  }

  // A layer's pass takes at least as long as the processor needs to start its kernels. `others`: its work besides.
  void add_launch(double passes, Seconds others, PerPart<Seconds>& parts) const {
    at(parts, StepPart::launch) += std::max(Seconds{}, passes * gpu_.launch - others - sum(parts)) + passes * gpu_.idle;
  }

  void make_layers() {
    const auto kernels = layer_kernels(training_, slice_);
    const bool is_full = times_.recompute == Recompute::full;
    const double forwards = is_full ? 2 : 1;
    add_kernels(kernels.forward, forward_);
    if (training_.layer_forward)
      forward_ = measured(*training_.layer_forward);
    const auto computed = sum(forward_);
    add_calls(StepPart::tensor, calls_.tensor(forwards + 1), overlaps(Parallel::tensor), computed, forward_);
    add_calls(StepPart::context, calls_.context(false), overlaps(Parallel::context), computed, forward_);
    add_calls(StepPart::expert, calls_.expert(forwards + 1), overlaps(Parallel::expert), computed, forward_);
    add_calls(StepPart::data, calls_.weights(false), overlaps(Parallel::data), computed, forward_);
    if (!training_.layer_forward)
      add_launch(1, {}, forward_);
    add_kernels(kernels.backward, backward_);
    add_kernels(kernels.weights, weights_);
    if (training_.layer_backward) {
      backward_ = measured(0.5 * *training_.layer_backward);
      weights_ = measured(0.5 * *training_.layer_backward);
    }
    const auto work = sum(backward_) + sum(weights_);
    add_calls(StepPart::tensor, calls_.tensor(0), overlaps(Parallel::tensor), work, backward_);
    add_calls(StepPart::context, calls_.context(true), overlaps(Parallel::context), work, backward_);
    add_calls(StepPart::expert, calls_.expert(0), overlaps(Parallel::expert), work, backward_);
    add_calls(StepPart::data, calls_.weights(true), overlaps(Parallel::data), work, backward_);
    if (!training_.layer_backward)
      add_launch(2, sum(weights_), backward_);
    if (is_full)
      add(backward_, forward_);
    else if (times_.recompute == Recompute::selective && training_.attention != AttentionKernel::flash)
      add_attention_again();
  }

  static PerPart<Seconds> measured(Seconds time) {
    PerPart<Seconds> parts{};
    at(parts, StepPart::gemm) = time;
    return parts;
  }

  // The scores: all that grows with the square of the sequence.
  void add_attention_again() {
    auto short_slice = slice_;
    short_slice.context = 0;
    PerPart<Seconds> with{}, without{};
    add_kernels(layer_kernels(training_, slice_).forward, with);
    add_kernels(layer_kernels(training_, short_slice).forward, without);
    for (std::size_t i = 0; i < step_part_count; ++i)
      backward_[i] += with[i] - without[i];
  }

  static void add(PerPart<Seconds>& to, const PerPart<Seconds>& parts, double factor = 1) {
    for (std::size_t i = 0; i < step_part_count; ++i)
      to[i] += factor * parts[i];
  }

  PipelineJob pipeline_job() {
    const int places = layout().pipeline * layout().chunks;
    costs_.resize(static_cast<std::size_t>(places));
    for (int place = 0; place < places; ++place) {
      auto& costs = costs_[static_cast<std::size_t>(place)];
      const double layers = layers_of(training_, place % layout().pipeline, place / layout().pipeline);
      add(costs.forward, forward_, layers);
      add(costs.backward, backward_, layers);
      add(costs.weights, weights_, layers);
    }
    const auto add_ends = [&](const PassKernels& kernels, StageCosts& costs) {
      add_kernels(kernels.forward, costs.forward);
      add_kernels(kernels.backward, costs.backward);
      add_kernels(kernels.weights, costs.weights);
    };
    add_ends(input_kernels(training_, slice_), costs_.front());
    add_ends(output_kernels(training_, slice_), costs_.back());
    PipelineJob job;
    job.schedule = layout().schedule;
    job.stages = layout().pipeline;
    job.chunks = layout().chunks;
    job.batches = batches_;
    job.send = calls_.send();
    job.sends_beside = overlaps(Parallel::pipeline);
    job.costs = [this, stages = job.stages](int stage, int chunk) -> const StageCosts& {
      return costs_[static_cast<std::size_t>(chunk * stages + stage)];
    };
    return job;
  }

  // What each stage does after its last backward pass; the step ends with the last one.
  void finish(PipelineRun& run) {
    const auto& layout = training_.layout;
    const auto updates = [&](int stage) {
      const auto weights = weights_of_stage(training_, stage);
      const double shared =
          training_.sharding >= Sharding::optimizer
              ? weights.common / replicas_of(training_) + weights.experts / expert_replicas_of(training_)
              : weights.all();
      auto unscaled = gpu_; // profiles leave the optimiser out
      unscaled.scale = GpuSheet{}.scale;
      return time_of(optimizer_kernels(training_, weights.all(), shared), unscaled).all();
    };
    Seconds waits;
    std::vector<StepCall> of_slowest;
    for (int stage = 0; stage < layout.pipeline; ++stage) {
      auto& own = run.stages[static_cast<std::size_t>(stage)];
      waits += at(own.parts, StepPart::bubble);
      const auto before = calls_.made.size();
      const auto [adding, buckets, gathering, tables] = calls_.gradients(stage);
      const auto update = updates(stage);
      Seconds hidden;
      if (overlaps(Parallel::data)) {
        // Buckets begin as the last backward pass goes on, and end no sooner than one after it.
        const auto room = own.end - own.last_backward;
        hidden = std::min((buckets - 1) / buckets * adding, room);
        hidden += std::min(gathering, own.first_forward); // under the next step's first forward pass
      }
      const auto data = adding + gathering - hidden + slowdown() * hidden;
      if (wishes_.keeps_events)
        add_events(stage, own.end, hidden, data, update, run);
      at(own.parts, StepPart::data) += data;
      at(own.parts, StepPart::pipeline) += tables;
      at(own.parts, StepPart::optimizer) += update;
      const auto end = own.end + data + tables + update;
      if (end > times_.step) {
        times_.step = end;
        times_.stage = stage;
        of_slowest.assign(calls_.made.begin() + static_cast<std::ptrdiff_t>(before), calls_.made.end());
        after_ = {data + tables, update};
      }
      calls_.made.resize(before);
    }
    calls_.made.insert(calls_.made.end(), of_slowest.begin(), of_slowest.end());
    const auto& slowest = run.stages[static_cast<std::size_t>(times_.stage)];
    times_.parts = slowest.parts;
    // All stages wait for the slowest one's end.
    times_.bubble = waits.value / layout.pipeline / times_.step.value;
    times_.events = std::move(run.events);
    times_.path = std::move(run.path);
    auto end = times_.path.empty() ? Seconds{} : times_.path.back().to;
    for (const auto& [what, time] :
         {std::pair("gradients and weights", after_.first), std::pair("optimiser", after_.second)})
      if (time.value > 0) {
        times_.path.push_back({times_.stage, what, 1, end, end + time});
        end += time;
      }
  }

  void add_events(int stage, Seconds end, Seconds hidden, Seconds data, Seconds update, PipelineRun& run) const {
    if (hidden.value + data.value > 0)
      run.events.push_back({stage, "data", "gradients and weights", end - std::min(hidden, end), end + data});
    run.events.push_back({stage, "compute", "optimiser", end + data, end + data + update});
  }

  const Training& training_;
  const GpuSheet& gpu_;
  const StepWishes& wishes_;
  Slice slice_;
  int batches_;
  StepCalls calls_;
  StepTimes times_;
  PerPart<Seconds> forward_{}, backward_{}, weights_{}; // of a layer
  std::vector<StageCosts> costs_;                       // by chunk and stage
  std::pair<Seconds, Seconds> after_{};
};

} // namespace

Result<GpuSheet> gpu_sheet(const Platform& platform, std::size_t device, const Training& training) {
  const auto precision = training.precision;
  const auto& gpu = platform.devices[device];
  Errors errors;
  const auto refuse = [&](const std::string& what) {
    errors.push_back(input_error(platform.file, "",
                                 fmt::format("the GPU \"{}\" states no {}, which training steps need; `import --node` "
                                             "takes it from data sheets",
                                             gpu.name, what)));
  };
  GpuSheet sheet;
  const auto speed = !gpu.compute                   ? std::optional<FlopsPerSecond>()
                     : precision == Precision::fp32 ? gpu.compute->fp32
                     : precision == Precision::fp8  ? gpu.compute->fp8
                                                    : gpu.compute->fp16;
  if (!speed)
    refuse(fmt::format("\"compute\" in {}", precision == Precision::fp32  ? "fp32"
                                            : precision == Precision::fp8 ? "fp8"
                                                                          : "fp16"));
  if (!gpu.memory || !gpu.memory->states_bandwidth())
    refuse("bandwidth of its \"memory\"");
  if (!errors.empty())
    return errors;
  sheet.peak = *speed;
  sheet.memory = gpu.memory->bandwidth.value_or(bandwidth_of(*gpu.memory));
  sheet.size = gpu.memory->size;
  sheet.units = gpu.compute->units;
  set_parts(*gpu.compute, training, sheet);
  if (training.profile) {
    const auto recorded = gpu_sheet(platform, device, *training.profile->work);
    if (!recorded)
      return recorded.errors();
    set_profile(*training.profile, *recorded, sheet);
  }
  return sheet;
}

Result<StepTimes> step_times(const Training& training, GpuJob& job, const GpuSheet& gpu, const StepWishes& wishes) {
  return Step(training, job, gpu, wishes).run();
}

Seconds least_step(const Training& training, const GpuSheet& gpu) {
  const auto& layout = training.layout;
  const auto kernels = layer_kernels(training, slice_of(training));
  const double forwards = recompute_of(training, gpu) == Recompute::full ? 2 : 1;
  const auto forward = std::max(time_of(kernels.forward, gpu).all(), gpu.launch) + gpu.idle;
  const auto backward =
      std::max(time_of(kernels.backward, gpu).all() + time_of(kernels.weights, gpu).all(), 2 * gpu.launch) +
      2 * gpu.idle;
  const auto layer = forwards * training.layer_forward.value_or(forward) + training.layer_backward.value_or(backward);
  const double batches = std::max(1, training.global_batch / layout.data / layout.micro_batch);
  return (batches * training.model.layers / layout.pipeline) * layer;
}

} // namespace kakehashi
