// What would change a step: each change is a run of its own.
#include "study/gpu/change.hpp"
#include "study/training/training_run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kakehashi {
namespace {

class StepChanges {
public:
  StepChanges(const Scenario& scenario, const TrainingRecord& record) : scenario_(scenario), record_(record) {}

  std::vector<TrainingChange> run() {
    if (!record_.work.inference)
      try_settings();
    try_layouts();
    try_machines();
    std::ranges::stable_sort(changes_, [](const TrainingChange& one, const TrainingChange& other) {
      return one.step && (!other.step || *one.step < *other.step);
    });
    return std::move(changes_);
  }

private:
  const Training& work() const { return record_.work; }
  bool has_calls(Parallel dimension) const {
    return std::ranges::any_of(record_.times.calls, [&](const StepCall& call) { return call.dimension == dimension; });
  }

  void add(std::string kind, std::string what, Training work, std::shared_ptr<const Platform> platform) {
    auto& change = changes_.emplace_back(TrainingChange{std::move(kind), std::move(what), {}, true, ""});
    auto run = training_run(scenario_, std::move(platform), std::move(work));
    const auto times = run ? times_of(*run) : Result<StepTimes>(run.errors());
    if (!times) {
      change.refusal = times.errors().front().message;
      return;
    }
    change.step = times->step;
    change.fits = times->memory.fits();
  }
  template <class Change> void try_work(std::string kind, std::string what, const Change& change) {
    auto changed = work();
    change(changed);
    add(std::move(kind), std::move(what), std::move(changed), scenario_.platform);
  }

  void try_settings() {
    for (const auto dimension : {Parallel::data, Parallel::pipeline, Parallel::tensor, Parallel::expert})
      if (const auto at = static_cast<std::size_t>(dimension); has_calls(dimension) && !work().overlaps[at])
        try_work("overlap", fmt::format("{} calls run while the GPU computes", parallel_names[at]),
                 [at](Training& changed) { changed.overlaps[at] = true; });
    for (const auto each : {Recompute::none, Recompute::selective, Recompute::full})
      if (each != record_.times.recompute &&
          !(each == Recompute::selective && work().attention == AttentionKernel::flash))
        try_work("recompute", fmt::format("recompute {}", name_of(recompute_names, each)),
                 [each](Training& changed) { changed.recompute = each; });
    if (work().attention != AttentionKernel::flash)
      try_work("attention", "attention in one kernel",
               [](Training& changed) { changed.attention = AttentionKernel::flash; });
    if (has_calls(Parallel::data)) {
      for (const auto each : {Sharding::none, Sharding::optimizer, Sharding::parameters})
        if (each != work().sharding)
          try_work("sharding", fmt::format("sharding {}", name_of(sharding_names, each)),
                   [each](Training& changed) { changed.sharding = each; });
      for (const double bytes : {25e6, 160e6})
        try_work("bucket", fmt::format("data parallel calls under compute, in buckets of {:.0f} MB", bytes / 1e6),
                 [bytes](Training& changed) {
                   changed.bucket = Bytes{static_cast<std::uint64_t>(bytes)};
                   changed.overlaps[static_cast<std::size_t>(Parallel::data)] = true;
                 });
    }
    if (work().gradient_bytes == 4 && has_calls(Parallel::data))
      try_work("gradients", "gradients in 2 bytes", [](Training& changed) { changed.gradient_bytes = 2; });
    if (scenario_.platform->devices[scenario_.ranks.front()].compute->fp8 && work().precision == Precision::bf16)
      try_work("precision", "products in fp8", [](Training& changed) { changed.precision = Precision::fp8; });
  }

  void try_layouts() {
    if (!work().inference) {
      for (const double factor : {0.5, 2.0}) {
        const double size = factor * work().layout.micro_batch;
        if (size >= 1 && work().global_batch % (work().layout.data * static_cast<int>(size)) == 0)
          try_work("micro-batch", fmt::format("micro-batches of {:.0f}", size),
                   [size](Training& changed) { changed.layout.micro_batch = static_cast<int>(size); });
      }
      if (work().layout.pipeline > 1)
        try_schedules();
    }
    auto order = work().layout.order;
    const auto before = order;
    std::ranges::sort(order);
    std::set<std::vector<Parallel>> tried{grown(before)};
    do {
      if (tried.insert(grown(order)).second)
        try_work("order", "order " + text_of(grown(order)),
                 [&order](Training& changed) { changed.layout.order = order; });
    } while (std::ranges::next_permutation(order).found);
  }

  // The dimensions that have several GPUs; others are nowhere.
  std::vector<Parallel> grown(const std::array<Parallel, 4>& order) const {
    std::vector<Parallel> grown;
    for (const auto each : order)
      if (work().layout.along(each) > 1)
        grown.push_back(each);
    return grown;
  }
  static std::string text_of(const std::vector<Parallel>& order) {
    std::string text;
    for (const auto each : order)
      text += fmt::format("{}{}", text.empty() ? "" : "-", name_of(parallel_names, each));
    return text;
  }

  void try_schedules() {
    const auto& layout = work().layout;
    if (layout.schedule != PipelineSchedule::zero_bubble)
      try_work("schedule", "zero-bubble: gradients of weights where stages would wait", [](Training& changed) {
        changed.layout.schedule = PipelineSchedule::zero_bubble;
        changed.layout.chunks = 1;
      });
    if (layout.schedule != PipelineSchedule::one_forward_one_backward)
      try_work("schedule", "1f1b", [](Training& changed) {
        changed.layout.schedule = PipelineSchedule::one_forward_one_backward;
        changed.layout.chunks = 1;
      });
    for (const int chunks : {2, 4})
      if (work().model.layers >= layout.pipeline * chunks && layout.chunks != chunks &&
          work().global_batch / layout.data / layout.micro_batch % layout.pipeline == 0)
        try_work("schedule", fmt::format("interleaved with {} chunks a stage", chunks), [chunks](Training& changed) {
          changed.layout.schedule = PipelineSchedule::interleaved;
          changed.layout.chunks = chunks;
        });
  }

  void try_machines() {
    if (record_.gpus < 2)
      return;
    const auto gpus =
        gpu_collectives(scenario_.platform, std::make_shared<Topology>(*scenario_.platform), some_ranks());
    if (!gpus)
      return;
    std::vector<std::string> limits;
    for (const auto& call : record_.times.calls)
      if (std::ranges::find(limits, call.limit) == limits.end())
        limits.push_back(call.limit);
    GpuSetup setup{scenario_.platform, some_ranks(), GpuOperation::allreduce, {Bytes{1 << 20}}, {}};
    for (auto& change : gpu_machine_changes(setup, **gpus, limits))
      add(change.kind, change.what, work(), change.platform);
    constexpr std::size_t domain = 72;
    if (const auto wide = with_nvlink_domain(*scenario_.platform, domain); wide && record_.nodes > 1)
      add("nvlink-domain", fmt::format("NVLinks join {} GPUs through switches", domain), work(), wide);
  }

  // All of the first node, and one more node.
  std::vector<std::size_t> some_ranks() const {
    constexpr std::size_t most_nodes = 2;
    std::vector<std::size_t> ranks;
    std::set<std::size_t> nodes;
    for (const auto device : scenario_.ranks) {
      const auto node = scenario_.platform->devices[device].node.value_or(device);
      if (nodes.contains(node) || nodes.size() < most_nodes) {
        nodes.insert(node);
        ranks.push_back(device);
      }
    }
    return ranks;
  }

  const Scenario& scenario_;
  const TrainingRecord& record_;
  std::vector<TrainingChange> changes_;
};

} // namespace

Result<TrainingExplanation> explain_training(const Scenario& scenario) {
  auto record = run_training(scenario);
  if (!record)
    return record.errors();
  TrainingExplanation all{std::move(*record), {}};
  all.changes = StepChanges(scenario, all.record).run();
  return all;
}

} // namespace kakehashi
