// Bounds and numbers of candidates, worked by hand.
#include "study/sweep/bound.hpp"

#include "engine/mpi/two_protocols.hpp"
#include "study/sweep/candidates.hpp"
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

} // namespace bound_test
} // namespace kakehashi
