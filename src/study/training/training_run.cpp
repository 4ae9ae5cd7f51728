#include "study/training/training_run.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

Errors faults_of(const Training& work, std::size_t ranks, const Scenario& scenario) {
  Errors errors;
  const std::string place = work.inference ? "/workload/inference" : "/workload/training";
  for (const auto& fault : layout_faults(work, ranks))
    errors.push_back(input_error(scenario.file, fault.key.empty() ? place : fmt::format("{}/{}", place, fault.key),
                                 mismatch(fault.found, fault.expected)));
  return errors;
}

} // namespace

bool is_of_model(const Scenario& scenario) {
  return std::holds_alternative<Training>(scenario.workload);
}

Errors in_scenario(Errors errors, const Scenario& scenario) {
  for (auto& error : errors)
    if (error.file.empty())
      error.file = scenario.file;
  return errors;
}

Result<TrainingRun> training_run(const Scenario& scenario, std::shared_ptr<const Platform> platform, Training work) {
  for (std::size_t i = 0; i < scenario.ranks.size(); ++i)
    if (const auto& device = platform->devices[scenario.ranks[i]]; device.kind != DeviceKind::gpu)
      return input_error(
          scenario.file, "/ranks",
          mismatch(fmt::format("\"{}\", a {}", device.name, name_of(device_kind_names, device.kind)), "GPUs only"));
  const auto gpu = gpu_sheet(*platform, scenario.ranks.front(), work);
  if (!gpu)
    return gpu.errors();
  auto topology = std::make_shared<Topology>(*platform);
  auto job = std::make_shared<GpuJob>(platform, std::move(topology), scenario.ranks);
  work = resolved(std::move(work), {scenario.ranks.size(), job->most_per_node()}, *gpu);
  if (auto errors = faults_of(work, scenario.ranks.size(), scenario); !errors.empty())
    return errors;
  return TrainingRun{std::move(work), *gpu, std::move(job)};
}

Result<StepTimes> times_of(TrainingRun& run, const StepWishes& wishes) {
  return run.work.inference ? answer_times(run.work, *run.job, run.gpu, wishes)
                            : step_times(run.work, *run.job, run.gpu, wishes);
}

StepWork work_of(const Training& work) {
  if (!work.inference)
    return {static_cast<double>(work.global_batch) * work.model.sequence, model_flops(work)};
  const auto& [batch, prompt, generated] = *work.inference;
  const double answers = static_cast<double>(batch) * work.layout.data;
  const auto counts = weights_of(work.model);
  const double active = counts.layer + counts.layer_experts * work.model.active_experts / work.model.experts;
  return {answers * generated,
          2 * (work.model.layers * active + counts.table) * (static_cast<double>(prompt) + generated) * answers};
}

// How a recorded step's kernels compare with the law.
std::string profile_note(const StepProfile& profile, const GpuSheet& gpu) {
  const auto& work = *profile.work;
  auto note = fmt::format(
      "kernels by {}: {} of {} for {} of {} at a time, tensor {}; times of the law's: products of matrices {:.2f}, "
      "attention {:.2f}, others {:.2f}; idle {:.3f} ms of a layer's forward pass",
      profile.file, counted(static_cast<std::size_t>(profile.steps), "step"),
      counted(static_cast<std::size_t>(work.model.layers), "layer"),
      counted(static_cast<std::size_t>(work.global_batch / work.layout.micro_batch), "batch"), work.layout.micro_batch,
      work.layout.tensor, gpu.scale[0], gpu.scale[1], gpu.scale[2], 1e3 * gpu.idle.value);
  if (std::ranges::any_of(gpu.scale, [](double scale) { return scale < 0.3 || scale > 3; }))
    note += "; so far from the law the recorded steps may have other layers, micro-batches or a recomputation than "
            "this says";
  return note;
}

Result<TrainingRecord> run_training(const Scenario& scenario) {
  auto run = training_run(scenario, scenario.platform, std::get<Training>(scenario.workload));
  if (!run)
    return run.errors();
  auto times = times_of(*run, {.keeps_events = true, .is_free = {}});
  if (!times)
    return in_scenario(times.errors(), scenario);
  const auto& work = run->work;
  TrainingRecord record{.scenario = scenario.name,
                        .platform = scenario.platform->name,
                        .gpu = scenario.platform->devices[scenario.ranks.front()].model,
                        .library = run->job->library(),
                        .gpus = scenario.ranks.size(),
                        .nodes = run->job->node_count(),
                        .work = work,
                        .times = std::move(*times),
                        .flops = 0,
                        .peak = run->gpu.peak.value,
                        .tokens = 0,
                        .exposed = {},
                        .notes = work.notes};
  const auto [tokens, flops] = work_of(work);
  record.tokens = tokens;
  record.flops = flops;
  if (work.profile)
    record.notes.push_back(profile_note(*work.profile, run->gpu));
  const auto& notes = run->job->notes();
  record.notes.insert(record.notes.end(), notes.begin(), notes.end());
  for (std::size_t i = 0; i < parallel_count; ++i) {
    const auto has_calls = std::ranges::any_of(
        record.times.calls, [&](const StepCall& call) { return call.dimension == static_cast<Parallel>(i); });
    if (!has_calls)
      continue;
    StepWishes wishes;
    wishes.is_free[i] = true;
    if (const auto without = times_of(*run, wishes))
      record.exposed[i] = record.times.step - without->step;
  }
  return record;
}

} // namespace kakehashi
