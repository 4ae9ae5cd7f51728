// Layouts of a step → the fastest ones that fit into the memory.
#include "study/training/training_run.hpp"

#include <algorithm>
#include <optional>

namespace kakehashi {
namespace {

// Below this the model does not tell layouts apart: docs/evidence/training.md.
constexpr double tie = 0.05;

std::vector<int> divisors(int number, int most) {
  std::vector<int> found;
  for (int i = 1; i <= std::min(number, most); ++i)
    if (number % i == 0)
      found.push_back(i);
  return found;
}

struct BoundedLayout {
  Training work;
  Seconds least;
};

class LayoutSearcher {
public:
  LayoutSearcher(const Scenario& scenario, TrainingRun& run, const LayoutSearch& search, TrainingSweep& found)
      : scenario_(scenario), run_(run), search_(search), found_(found), base_(run.work) {}

  Errors run() {
    auto layouts = candidates();
    std::ranges::stable_sort(layouts, {}, &BoundedLayout::least);
    for (auto& each : layouts) {
      // Sorted by the bound, none of the rest can be among those that are shown.
      if (found_.tried >= search_.most_runs || (is_full() && each.least > worst_shown())) {
        found_.pruned = layouts.size() - found_.tried;
        break;
      }
      run_.work = std::move(each.work);
      const auto times = times_of(run_);
      if (!times)
        return in_scenario(times.errors(), scenario_);
      ++found_.tried;
      const auto [tokens, flops] = work_of(run_.work);
      found_.points.push_back(
          {run_.work.layout, times->recompute, *times,
           flops / times->step.value / run_.gpu.peak.value / static_cast<double>(scenario_.ranks.size()), tokens,
           false});
      std::ranges::stable_sort(found_.points, {}, [](const TrainingPoint& point) { return point.times.step; });
      const auto most = std::max<std::size_t>(search_.shown, 100);
      if (found_.points.size() > most)
        found_.points.resize(most);
    }
    for (auto& point : found_.points)
      point.is_tied = point.times.step.value <= (1 + tie) * found_.points.front().times.step.value;
    found_.tie = tie;
    return {};
  }

private:
  bool is_full() const { return found_.points.size() >= search_.shown; }
  Seconds worst_shown() const { return found_.points[search_.shown - 1].times.step; }

  void add(Training work, std::vector<BoundedLayout>& all) {
    if (!layout_faults(work, scenario_.ranks.size()).empty())
      return;
    if (!memory_of(work, recompute_of(work, run_.gpu), run_.gpu).fits()) {
      ++found_.unfit;
      return;
    }
    const auto least = work.inference ? Seconds{} : least_step(work, run_.gpu);
    all.push_back({std::move(work), least});
  }

  std::vector<int> experts(const Layout& layout) const {
    if (base_.model.experts < 2)
      return {1};
    std::vector<int> found;
    for (const int each : divisors(base_.model.experts, layout.data))
      if (layout.data % each == 0)
        found.push_back(each);
    return found;
  }

  // What the scenario states of batch, precision, sharding and the like stays.
  std::vector<BoundedLayout> candidates() {
    std::vector<BoundedLayout> all;
    const int ranks = static_cast<int>(scenario_.ranks.size());
    for (const int tensor : divisors(base_.model.heads, ranks))
      for (const int pipeline : divisors(ranks / tensor, std::min(512, base_.model.layers))) {
        const int of_replica = tensor * pipeline * base_.layout.context;
        if (of_replica > ranks || ranks % of_replica != 0)
          continue;
        auto work = base_;
        work.layout.tensor = tensor;
        work.layout.pipeline = pipeline;
        work.layout.data = ranks / of_replica;
        for (const int expert : experts(work.layout)) {
          work.layout.expert = expert;
          add_batches(work, all);
        }
      }
    return all;
  }

  void add_batches(const Training& of, std::vector<BoundedLayout>& all) {
    if (of.inference)
      return add(of, all);
    constexpr int most_of_batch = 64;
    if (of.global_batch % of.layout.data != 0)
      return;
    for (const int micro : divisors(of.global_batch / of.layout.data, most_of_batch)) {
      if ((micro & (micro - 1)) != 0)
        continue;
      auto work = of;
      work.layout.micro_batch = micro;
      work.layout.schedule = PipelineSchedule::one_forward_one_backward;
      work.layout.chunks = 1;
      add_orders(work, all);
      if (work.layout.pipeline < 2)
        continue;
      work.layout.schedule = PipelineSchedule::zero_bubble;
      add_orders(work, all);
      work.layout.schedule = PipelineSchedule::interleaved;
      for (const int chunks : {2, 4}) {
        work.layout.chunks = chunks;
        add_orders(work, all);
      }
    }
  }

  // Data before pipeline, and the other way round; tensor is nearest.
  void add_orders(Training work, std::vector<BoundedLayout>& all) {
    work.layout.order = {Parallel::tensor, Parallel::context, Parallel::data, Parallel::pipeline};
    add(work, all);
    if (work.layout.pipeline < 2 || work.layout.data < 2)
      return;
    work.layout.order = {Parallel::tensor, Parallel::context, Parallel::pipeline, Parallel::data};
    add(work, all);
  }

  const Scenario& scenario_;
  TrainingRun& run_;
  const LayoutSearch& search_;
  TrainingSweep& found_;
  Training base_;
};

} // namespace

Result<TrainingSweep> sweep_training(const Scenario& scenario, const LayoutSearch& search) {
  auto record = run_training(scenario);
  if (!record)
    return record.errors();
  TrainingSweep found{.base = std::move(*record), .points = {}};
  auto run = training_run(scenario, scenario.platform, found.base.work);
  if (!run)
    return run.errors();
  if (auto errors = LayoutSearcher(scenario, *run, search, found).run(); !errors.empty())
    return errors;
  return found;
}

} // namespace kakehashi
