#include "training/groups.hpp"
#include "training/pipeline.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// A forward pass takes 1 s and a backward pass 2 s, of which the gradients of weights are half.
PipelineRun run(PipelineSchedule schedule, int stages, int batches, int chunks = 1, double send = 0) {
  static StageCosts costs;
  costs = {};
  costs.forward[0] = Seconds{1.0 / chunks};
  costs.backward[0] = costs.weights[0] = Seconds{1.0 / chunks};
  PipelineJob job;
  job.schedule = schedule;
  job.stages = stages;
  job.chunks = chunks;
  job.batches = batches;
  job.send = Seconds{send};
  job.sends_beside = true;
  job.costs = [](int, int) -> const StageCosts& { return costs; };
  return run_pipeline(job, false);
}

// (m + p - 1) micro-batches' time.
TEST(Pipeline, WaitsForAllButOneStageOnce) {
  EXPECT_NEAR(run(PipelineSchedule::one_forward_one_backward, 4, 8).end.value, 3 * (8 + 3), 1e-9);
  EXPECT_NEAR(run(PipelineSchedule::one_forward_one_backward, 1, 8).end.value, 24, 1e-9);
  EXPECT_NEAR(run(PipelineSchedule::one_forward_one_backward, 4, 1).end.value, 12, 1e-9);
  const auto first = run(PipelineSchedule::one_forward_one_backward, 4, 8).stages.front();
  EXPECT_NEAR(first.parts[static_cast<std::size_t>(StepPart::bubble)].value, 9, 1e-9);
}

// The wait is divided by the number of chunks.
TEST(Pipeline, WaitsLessWithChunks) {
  EXPECT_NEAR(run(PipelineSchedule::interleaved, 4, 8, 2).end.value, 3 * (8 + 3.0 / 2), 1e-9);
  EXPECT_NEAR(run(PipelineSchedule::interleaved, 4, 8, 4).end.value, 3 * (8 + 3.0 / 4), 1e-9);
}

// ZB-H1 of Qi et al., Zero Bubble Pipeline Parallelism: (p - 1) (F + B - W), which is a third of 1F1B's wait.
TEST(Pipeline, ComputesWeightsWhereItWouldWait) {
  EXPECT_NEAR(run(PipelineSchedule::zero_bubble, 4, 16).end.value, 3 * 16 + 3, 1e-9);
}

// A send passes on each of three borders, there and back.
TEST(Pipeline, WaitsForSends) {
  EXPECT_NEAR(run(PipelineSchedule::one_forward_one_backward, 4, 1, 1, 0.5).end.value, 12 + 6 * 0.5, 1e-9);
}

TEST(Pipeline, HasACriticalPathWithoutHoles) {
  const auto found = run(PipelineSchedule::one_forward_one_backward, 4, 8, 1, 0.25);
  Seconds at;
  for (const auto& stretch : found.path) {
    EXPECT_NEAR(stretch.from.value, at.value, 1e-9);
    at = stretch.to;
  }
  EXPECT_NEAR(at.value, found.end.value, 1e-9);
}

// The rhythm of some micro-batches stands for that of many.
TEST(Pipeline, LeavesOutMicroBatches) {
  EXPECT_NEAR(run(PipelineSchedule::one_forward_one_backward, 8, 100'000).end.value, 3.0 * (100'000 + 7), 1e-3);
  EXPECT_NEAR(run(PipelineSchedule::interleaved, 8, 80'000, 2).end.value, 3.0 * (80'000 + 7.0 / 2), 1e-3);
}

TEST(Groups, AreNeighboursInTheFirstDimension) {
  Layout layout;
  layout.tensor = 2;
  layout.data = 3;
  layout.pipeline = 2;
  EXPECT_EQ(groups_of(layout, Parallel::tensor).front(), (std::vector{0, 1}));
  EXPECT_EQ(groups_of(layout, Parallel::data).front(), (std::vector{0, 2, 4}));
  EXPECT_EQ(groups_of(layout, Parallel::pipeline).front(), (std::vector{0, 6}));
  EXPECT_EQ(groups_of(layout, Parallel::data).size(), 4u);
  layout.order = {Parallel::pipeline, Parallel::context, Parallel::data, Parallel::tensor};
  EXPECT_EQ(groups_of(layout, Parallel::tensor).front(), (std::vector{0, 6}));
  EXPECT_EQ(groups_of(layout, Parallel::pipeline).front(), (std::vector{0, 1}));
}

TEST(Layouts, TellEachSizeThatDoesNotFit) {
  Training training;
  training.model = {
      .layers = 10, .hidden = 64, .heads = 6, .kv_heads = 6, .head_size = 8, .feed_forward = 256, .sequence = 30};
  training.global_batch = 7;
  training.layout = {.tensor = 4, .context = 4, .data = 2, .pipeline = 11, .micro_batch = 2};
  std::vector<std::string> keys;
  for (const auto& fault : layout_faults(training, 64))
    keys.emplace_back(fault.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"tensor", "context", "pipeline", "", "global_batch"}));
  training.layout = {.tensor = 2, .data = 4, .pipeline = 5};
  training.global_batch = 8;
  EXPECT_TRUE(layout_faults(training, 40).empty());
}

TEST(Layouts, LeaveLayersToTheMiddle) {
  const auto layers = [](int count, int stages, int chunks) {
    Training training;
    training.model.layers = count;
    training.layout.pipeline = stages;
    training.layout.chunks = chunks;
    std::vector<int> each;
    for (int place = 0; place < stages * chunks; ++place)
      each.push_back(layers_of(training, place % stages, place / stages));
    return each;
  };
  EXPECT_EQ(layers(8, 4, 1), (std::vector{2, 2, 2, 2}));
  EXPECT_EQ(layers(10, 4, 1), (std::vector{2, 3, 3, 2}));
  EXPECT_EQ(layers(11, 4, 1), (std::vector{3, 3, 3, 2}));
  EXPECT_EQ(layers(9, 2, 2), (std::vector{2, 3, 2, 2}));
}

} // namespace
} // namespace kakehashi
