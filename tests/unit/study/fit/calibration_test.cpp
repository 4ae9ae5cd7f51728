// Adjustments are fitted by simulating.
#include "study/fit/fits.hpp"

#include "engine/mpi/two_protocols.hpp"
#include "study/run/scenario_run.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace calibration_test {

// A bandwidth test of two cpus, each of whose messages waits that long besides.
Scenario window_test(Seconds gap) {
  auto platform = std::make_shared<Platform>();
  platform->nodes = {"a", "b"};
  platform->devices = {{"a.cpu", DeviceKind::cpu, 0, std::nullopt}, {"b.cpu", DeviceKind::cpu, 1, std::nullopt}};
  add_link(*platform, 0, 1, link_type("ethernet"), 1, microseconds(1));
  platform->fabrics = {two_protocols()};
  auto& adjustment = platform->fabrics[0].adjustments.emplace_back();
  adjustment.crosses = link_type("ethernet");
  adjustment.gap = gap;
  Scenario scenario;
  scenario.platform = platform;
  scenario.fabric = "net";
  scenario.ranks = {0, 1};
  Benchmark benchmark;
  benchmark.name = "osu-bw";
  benchmark.sizes = {Bytes{4}, Bytes{8}, Bytes{64}};
  benchmark.repetitions = 1;
  benchmark.warm_up = 0;
  scenario.workload = benchmark;
  return scenario;
}

// Bandwidths count from 8 B on.
TEST(TunedAdjustments, AreWhatTheCurvesWereMadeWith) {
  const auto made = run(window_test(microseconds(3)));
  ASSERT_TRUE(made);
  auto scenario = window_test(microseconds(1));
  auto& curve = scenario.reference.emplace().curve;
  curve.metric = Metric::bandwidth;
  for (const auto& figures : made->table.figures)
    curve.points.push_back({Bytes{figures.size}, figures.rate});
  const auto tuned = tune_adjustments(std::array{scenario}, {0}, 2);
  ASSERT_TRUE(tuned);
  EXPECT_NEAR(in_microseconds(tuned->adjustments.at(0).gap), 3, 0.03);
  EXPECT_EQ(tuned->curves.at(0).points, 2u);
}

} // namespace calibration_test
} // namespace kakehashi
