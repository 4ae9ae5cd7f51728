// Both engines on whole scenarios, and which of them runs.
#include "engine/mpi/results.hpp"
#include "engine/mpi/two_protocols.hpp"
#include "study/pool/pool.hpp"
#include "study/run/scenario_run.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace choice_test {

// A ring of nodes, links of 1 GB/s and 1 us.
std::shared_ptr<Platform> ring_of(std::size_t nodes) {
  auto platform = std::make_shared<Platform>();
  platform->name = "ring";
  for (std::size_t node = 0; node < nodes; ++node) {
    platform->nodes.push_back("n" + std::to_string(node));
    platform->devices.push_back({platform->nodes.back() + ".cpu", DeviceKind::cpu, node, std::nullopt});
    platform->devices.push_back({platform->nodes.back() + ".nic", DeviceKind::nic, node, std::nullopt});
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    add_link(*platform, 2 * node, 2 * node + 1, link_type("pcie"), 3, microseconds(1));
    add_link(*platform, 2 * node + 1, 2 * ((node + 1) % nodes) + 1, link_type("ethernet"), 1, microseconds(1));
  }
  platform->fabrics = {two_protocols()};
  return platform;
}

Step exchange(int to, int from, std::uint64_t size) {
  return {Step::Kind::sendrecv, to, from, {}, Bytes{size}, {}, 0};
}

Scenario scenario(std::vector<std::vector<Step>> steps, std::size_t nodes) {
  Scenario made;
  made.name = "s";
  made.file = "s.json";
  made.platform = ring_of(nodes);
  made.fabric = "net";
  for (std::size_t rank = 0; rank < steps.size(); ++rank)
    made.ranks.push_back(2 * (rank * nodes / steps.size()));
  made.workload = StepProgram{std::move(steps)};
  return made;
}

// In step k to the rank k further on, from the one k before.
Scenario alltoall(int ranks, std::size_t nodes, std::uint64_t size) {
  std::vector<std::vector<Step>> steps(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (int k = 1; k < ranks; ++k)
      steps[static_cast<std::size_t>(rank)].push_back(exchange((rank + k) % ranks, (rank - k + ranks) % ranks, size));
  return scenario(std::move(steps), nodes);
}

// Recursive doubling, each exchange as large as all before it.
Scenario allgather(int ranks, std::size_t nodes, std::uint64_t size) {
  std::vector<std::vector<Step>> steps(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (int distance = 1; distance < ranks; distance *= 2)
      steps[static_cast<std::size_t>(rank)].push_back(
          exchange(rank ^ distance, rank ^ distance, size * static_cast<std::uint64_t>(distance)));
  return scenario(std::move(steps), nodes);
}

double last_end(const Scenario& scenario, const EngineOptions& options) {
  const auto record = run(scenario, nullptr, options);
  if (!record) {
    ADD_FAILURE() << to_text(record.errors()[0]);
    return 0;
  }
  const auto& ends = ends_of(*record);
  return std::max_element(ends.begin(), ends.end())->value;
}

void expect_agreement(const Scenario& scenario) {
  const double reference = last_end(scenario, {EngineKind::simgrid});
  EXPECT_NEAR(last_end(scenario, {EngineKind::fluid, 0, 0}), reference, 0.01 * reference);
  EXPECT_NEAR(last_end(scenario, {EngineKind::fluid, EngineOptions{}.tolerance, 0}), reference, 0.05 * reference);
}

// Nobody waits for anybody: exactly in step it takes 4.00 ms, after any disturbance, in whatever order ties are, about
// 4.2 ms.
TEST(Engines, AgreeOnAnEagerAlltoall) {
  const auto scenario = alltoall(64, 8, 4096);
  const double in_step = last_end(scenario, {EngineKind::simgrid});
  EXPECT_NEAR(last_end(scenario, {EngineKind::fluid, 0, 0}), in_step, 0.01 * in_step);
  const double disturbed = last_end(scenario, {EngineKind::fluid, 0.001, 0});
  EXPECT_NEAR(last_end(scenario, {EngineKind::fluid, EngineOptions{}.tolerance, 0}), disturbed, 0.05 * disturbed);
}

TEST(Engines, AgreeOnARendezvousAlltoall) {
  expect_agreement(alltoall(64, 8, 20000));
}

TEST(Engines, AgreeOnRecursiveDoubling) {
  expect_agreement(allgather(128, 8, 1000));
}

TEST(Engines, AgreeOnRecursiveDoublingOfManyRanks) {
  expect_agreement(allgather(256, 16, 64));
}

std::string engine_of(const Scenario& scenario, const EngineOptions& options) {
  return run(scenario, nullptr, options)->engine;
}

TEST(EngineChoice, IsSimGridForFewMessages) {
  EXPECT_TRUE(engine_of(allgather(16, 4, 1000), {EngineKind::automatic, 0.02, 0}).starts_with("SimGrid"));
}

TEST(EngineChoice, IsFluidForManyRanks) {
  EXPECT_EQ(engine_of(allgather(256, 4, 1000), {EngineKind::automatic, 0.02, 0}), "fluid, tolerance 2 %");
}

TEST(EngineChoice, IsFluidForFewMessagesThatFlowAtTheSameTime) {
  const auto record = run(alltoall(48, 4, 4096), nullptr, {EngineKind::automatic, 0.02, 0});
  ASSERT_TRUE(record);
  EXPECT_LT(static_cast<double>(record->messages), simgrid_work);
  EXPECT_EQ(record->engine, "fluid, tolerance 2 %");
}

// Besides the two rounds of three messages of the barrier before each size.
TEST(EngineChoice, KnowsTheMessagesOfABossAndWorkers) {
  auto made = scenario(std::vector<std::vector<Step>>(3), 3);
  made.workload = BossWorker{{1, 2}, 5, Bytes{32}, {}};
  const auto record = run(made, nullptr, {EngineKind::fluid, 0, 0});
  ASSERT_TRUE(record);
  EXPECT_EQ(simgrid_work_of(made, need_of(made)), static_cast<double>(record->messages) - 2 * 2 * 3);
}

TEST(EngineChoice, IsFluidForManyMessagesOfTwoRanks) {
  const auto round_trips = static_cast<std::size_t>(simgrid_work) / 2 + 1;
  const auto ping_pong = scenario({std::vector<Step>(round_trips, exchange(1, 1, 100)), //
                                   std::vector<Step>(round_trips, exchange(0, 0, 100))},
                                  2);
  const auto record = run(ping_pong, nullptr, {EngineKind::automatic, 0, 0});
  ASSERT_TRUE(record);
  EXPECT_EQ(record->engine, "fluid, tolerance 0 %");
  EXPECT_EQ(record->tolerance, 0);
  EXPECT_EQ(record->messages, 2 * round_trips);
  // 0.5 | 3 hops of 1 us, 100 B at 1 GB/s | 0.25
  EXPECT_NEAR(ends_of(*record)[0].value, static_cast<double>(round_trips) * 3.85e-6, 1e-9);
}

Step receive(int from) {
  return {Step::Kind::recv, {}, from, {}, {}, {}, 0};
}

Result<std::vector<Seconds>> ends(const Scenario& scenario, EngineKind engine) {
  const auto record = run(scenario, nullptr, {engine, 0, 0});
  return record ? Result(ends_of(*record)) : record.errors();
}

TEST(Runs, AreAsIfEachHadAProcessOfItsOwn) {
  const auto few = alltoall(8, 4, 4096);
  const auto many = alltoall(24, 8, 20000);
  const auto stuck = scenario({{receive(1)}, {receive(0)}}, 2);
  const std::vector<Task<std::vector<Seconds>>> alone{[&] { return ends(few, EngineKind::simgrid); },
                                                      [&] { return ends(many, EngineKind::simgrid); },
                                                      [&] { return ends(many, EngineKind::fluid); }};
  const auto expected = run_in_children(alone, 2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(*ends(few, EngineKind::simgrid), *expected[0]);
    EXPECT_EQ(*ends(many, EngineKind::fluid), *expected[2]);
    EXPECT_EQ(*ends(many, EngineKind::simgrid), *expected[1]);
    EXPECT_FALSE(ends(stuck, EngineKind::simgrid)); // leaves messages behind
  }
}

TEST(Plan, OfAnUnknownFabricTellsThoseThereAre) {
  auto wrong = alltoall(2, 2, 8);
  wrong.fabric = "nett";
  const auto planned = plan(wrong);
  ASSERT_FALSE(planned);
  EXPECT_EQ(to_text(planned.errors()[0]), "s.json: /fabric: got \"nett\", expected net (did you mean \"net\"?)");
  const auto record = run(wrong);
  ASSERT_FALSE(record);
  EXPECT_EQ(to_text(record.errors()[0]), to_text(planned.errors()[0]));
  auto two = std::make_shared<Platform>(*wrong.platform);
  two->fabrics.push_back(two->fabrics[0]);
  two->fabrics.back().name = "shm";
  wrong.platform = two;
  wrong.fabric = "";
  EXPECT_EQ(to_text(plan(wrong).errors()[0]), "s.json: /fabric: got \"\", expected net or shm");
}

TEST(Repeat, TellsTheSpreadOfShuffledRuns) {
  const auto patterns = alltoall(16, 4, 4096);
  const auto repeats = repeat(patterns, *plan(patterns, {EngineKind::fluid, 0, 0}), 3, 2);
  ASSERT_TRUE(repeats);
  EXPECT_EQ(repeats->runs, 3);
  ASSERT_EQ(repeats->spreads.size(), 1u);
  const auto& [median, least, greatest] = repeats->spreads[0];
  EXPECT_LE(least, median);
  EXPECT_LE(median, greatest);
  EXPECT_GT(least.value, 0);
  const auto again = repeat(patterns, *plan(patterns, {EngineKind::fluid, 0, 0}), 3, 1);
  EXPECT_EQ(again->spreads[0].median, median);
}

} // namespace choice_test
} // namespace kakehashi
