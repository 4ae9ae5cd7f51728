// Bounds, numbers of candidates and searches, worked by hand.
#include "study/sweep/evaluation.hpp"

#include "engine/mpi/two_protocols.hpp"
#include "study/sweep/ranking.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace bound_test {

// Ranks on two devices, with 1 GB/s from the first to the second and 2 GB/s back, each of which sends to the next.
Scenario two_ranks(const char* benchmark_name, std::vector<Bytes> sizes) {
  auto platform = std::make_shared<Platform>();
  platform->nodes = {"a", "b"};
  platform->devices = {{"a.cpu", DeviceKind::cpu, 0, std::nullopt}, {"b.cpu", DeviceKind::cpu, 1, std::nullopt}};
  add_link(*platform, 0, 1, link_type("ethernet"), 1, {});
  platform->links[0].bandwidth->backward = gigabytes_per_second(2);
  platform->fabrics = {two_protocols()};
  Scenario scenario;
  scenario.platform = platform;
  scenario.fabric = "net";
  scenario.ranks = {0, 1};
  Benchmark benchmark;
  benchmark.name = benchmark_name;
  benchmark.sizes = std::move(sizes);
  scenario.workload = benchmark;
  return scenario;
}

double bound_of(const Scenario& scenario) {
  return Bound(scenario, std::nullopt, Objective::time).of(scenario.ranks) * 1e6;
}

// Who sends an eager message does not wait for it, and may be far ahead of who receives it.
TEST(Bound, OfEagerMessagesIsTheirCores) {
  auto scenario = two_ranks("open-ring", {Bytes{9000}});
  EXPECT_NEAR(bound_of(scenario), 0.5, 1e-9);
  auto platform = *scenario.platform;
  platform.fabrics[0].rules[0].regimes[0].receive_overhead = all_kinds(microseconds(0.7));
  scenario.platform = std::make_shared<Platform>(platform);
  EXPECT_NEAR(bound_of(scenario), 0.7, 1e-9);
}

TEST(Bound, OfRendezvousIsWhatTheLinkTakesForAllSizes) {
  EXPECT_NEAR(bound_of(two_ranks("open-ring", {Bytes{10000}})), 10, 1e-9);
  EXPECT_NEAR(bound_of(two_ranks("open-ring", {Bytes{10000}, Bytes{20000}})), 30, 1e-9);
}

// One of both orders has the fast direction; whoever has no time to look at them must not claim more.
TEST(Bound, OfWhatConnectsAllIsNotAboveTheBest) {
  const auto scenario = two_ranks("open-ring", {Bytes{20000}});
  const Placement placement{true, {0, 1}, {0, 1}, 2};
  const Bound bound(scenario, placement, Objective::time);
  const auto best = least_bound(bound, scenario, placement, 100);
  EXPECT_TRUE(best.is_exact);
  EXPECT_NEAR(best.value, 10e-6, 1e-15);
  const auto quick = least_bound(bound, scenario, placement, 0);
  EXPECT_FALSE(quick.is_exact);
  EXPECT_NEAR(quick.value, 10e-6, 1e-15);
}

Sweep sweep_of(Placement placement, Objective objective = Objective::time) {
  Sweep made;
  made.variants = {{{}, two_ranks("open-ring", {Bytes{20000}})}};
  made.placement = std::move(placement);
  made.objective = objective;
  return made;
}

// Nothing but the slow direction is run; the bound is 10 us, of the fast one.
TEST(Ranking, TellsHowFarTheBestMayBeFromTheBound) {
  for (const auto objective : {Objective::time, Objective::bandwidth}) {
    SweepOptions options;
    options.most_runs = 1;
    const auto found = sweep(sweep_of({true, {0, 1}, {0, 1}, 2}, objective), {}, options);
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->gap);
    EXPECT_NEAR(*found->gap, found->points.front().outcome.time.value / 10e-6 - 1, 1e-9);
    EXPECT_GT(*found->gap, 1);
  }
}

// Two of three slots in any order, two of which are of one device; both of two, in the order of the slots.
TEST(Ranking, KnowsHowManyCandidatesThereAre) {
  const auto count = [](Placement placement) { return CandidateSpace(sweep_of(std::move(placement))).count(); };
  EXPECT_EQ(count({true, {0, 1}, {0, 0, 1}, 2}), 3);
  EXPECT_EQ(count({false, {0, 1}, {0, 1}, 2}), 1);
  EXPECT_EQ(count({false, {0, 1}, {0, 1}, 1}), 2);
}

// Eight cpus around a switch, no two of which are alike.
Sweep sweep_of_eight() {
  auto platform = std::make_shared<Platform>();
  platform->devices = {{"switch", DeviceKind::network_switch, std::nullopt, std::nullopt}};
  for (std::size_t node = 0; node < 8; ++node) {
    platform->nodes.push_back("n" + std::to_string(node));
    platform->devices.push_back({platform->nodes.back() + ".cpu", DeviceKind::cpu, node, std::nullopt});
    add_link(*platform, node + 1, 0, link_type("ethernet"), 1, microseconds(1 + 0.1 * static_cast<double>(node)));
  }
  platform->fabrics = {two_protocols()};
  Sweep made;
  made.variants = {{{}, two_ranks("open-ring", {Bytes{8}})}};
  auto& scenario = made.variants[0].scenario;
  scenario.platform = platform;
  scenario.ranks = {1, 2, 3, 4, 5, 6, 7, 8};
  std::get<Benchmark>(scenario.workload).repetitions = 1;
  made.placement = Placement{true, {0, 1, 2, 3, 4, 5, 6, 7}, scenario.ranks, 8};
  return made;
}

// Where all orders are as good, the search goes from one to the next, and in some exchanges gets far from the first;
// who only took what is better would stay with its 28 neighbours.
TEST(Annealing, GoesOnWhereNothingIsBetter) {
  const auto wanted = sweep_of_eight();
  const CandidateSpace space(wanted);
  Evaluator evaluator(wanted, {}, {2, {{EngineKind::fluid}, false}, nullptr, {}});
  AnnealingOptions options;
  options.most_runs = 48;
  options.time_spent = [] { return 0.0; };
  options.stopped = [] { return ""; };
  options.score = [](const SweepPoint&) { return 1.0; };
  const auto found = anneal(wanted, space, evaluator, {space.default_candidate()}, options);
  EXPECT_EQ(found.points.size(), 48u);
  std::size_t most_moved = 0;
  for (const auto& point : found.points) {
    std::size_t moved = 0;
    for (std::size_t rank = 0; rank < 8; ++rank)
      moved += point.devices[rank] != rank + 1;
    most_moved = std::max(most_moved, moved);
  }
  EXPECT_GT(most_moved, 4u);
}

} // namespace bound_test
} // namespace kakehashi
