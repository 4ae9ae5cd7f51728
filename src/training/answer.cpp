// A prompt's forward pass, and the tokens after it.
#include "training/step.hpp"
#include "training/step_calls.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

// Assumed: what one of a layer's kernels takes at least when a graph of them is replayed.
constexpr Seconds least_kernel{3e-6};

class Answer {
public:
  Answer(const Training& training, GpuJob& job, const GpuSheet& gpu, const StepWishes& wishes)
      : training_(training), gpu_(gpu), calls_(training, job, wishes.is_free, {}, 1) {}

  Result<StepTimes> run() {
    const auto& work = *training_.inference;
    const double batch = work.batch;
    StepTimes times;
    times.memory = memory_of(training_, Recompute::none, gpu_);
    const auto prompt = pass({batch * work.prompt, static_cast<double>(work.prompt), batch}, 1, times);
    times.first_token = prompt;
    const double mean = work.prompt + work.generated / 2.0;
    if (work.generated > 1)
      times.next_token = pass({batch, mean, batch}, work.generated - 1.0, times);
    times.step = times.first_token + (work.generated - 1.0) * times.next_token;
    if (!calls_.errors.empty())
      return calls_.errors;
    times.calls = std::move(calls_.made);
    return times;
  }

private:
  // Through all stages, one after the other, `count` times.
  Seconds pass(const Slice& slice, double count, StepTimes& times) {
    const double layers = training_.model.layers, w = bytes_of(training_.precision);
    const auto kernels = layer_kernels(training_, slice).forward;
    auto parts = time_of(kernels, gpu_);
    const double bytes = slice.tokens * training_.model.hidden * w;
    const auto add = [&](StepPart part, Seconds time) { times.parts[static_cast<std::size_t>(part)] += count * time; };
    const auto tensor = layers * 2 * calls_.call(Parallel::tensor, GpuOperation::allreduce, bytes, 2 * layers * count);
    const auto expert = training_.model.experts < 2
                            ? Seconds{}
                            : layers * 2 *
                                  calls_.call(Parallel::expert, GpuOperation::alltoall,
                                              bytes * training_.model.active_experts, 2 * layers * count);
    const auto sends =
        (training_.layout.pipeline - 1.0) * calls_.call(Parallel::pipeline, GpuOperation::sendrecv, bytes, count);
    const auto least = layers * (static_cast<double>(kernels.size()) * least_kernel);
    const auto computed = layers * parts.all();
    // Only the last token of each sequence becomes words.
    const auto output = time_of(output_kernels(training_, {slice.batch, 0, slice.batch}).forward, gpu_);
    add(StepPart::gemm, layers * parts.gemm + output.gemm);
    add(StepPart::attention, layers * parts.attention);
    add(StepPart::memory, layers * parts.memory + output.memory);
    add(StepPart::launch, std::max(Seconds{}, least - computed));
    add(StepPart::tensor, tensor);
    add(StepPart::expert, expert);
    add(StepPart::pipeline, sends);
    return std::max(least, computed) + output.all() + tensor + expert + sends;
  }

  const Training& training_;
  const GpuSheet& gpu_;
  StepCalls calls_;
};

} // namespace

Result<StepTimes> answer_times(const Training& training, GpuJob& job, const GpuSheet& gpu, const StepWishes& wishes) {
  return Answer(training, job, gpu, wishes).run();
}

} // namespace kakehashi
