#include "input/log_scenario.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::string write_log(const std::string& name, const std::string& text) {
  const auto file = testing::TempDir() + name;
  std::ofstream(file) << text;
  return file;
}

TEST(LogScenario, IsABenchmarkWithTheLogsSizesAndCurve) {
  const auto file =
      write_log("run-7.log", "# OSU MPI Bandwidth Test v5.6\n# Size      Bandwidth (MB/s)\n1      2.50\n64   150.00\n");
  const auto scenarios = read_log_scenarios(file, unknown_cluster());
  ASSERT_TRUE(scenarios);
  ASSERT_EQ(scenarios->size(), 1u);
  const auto& scenario = scenarios->front();
  EXPECT_EQ(scenario.name, "run-7");
  EXPECT_EQ(std::get<Benchmark>(scenario.workload).name, BenchmarkName::osu_bw);
  EXPECT_EQ(std::get<Benchmark>(scenario.workload).sizes, (std::vector<Bytes>{Bytes{1}, Bytes{64}}));
  EXPECT_EQ(scenario.reference->curve.metric, Metric::bandwidth);
  EXPECT_EQ(scenario.reference->curve.at(Bytes{64}), 150);
}

TEST(LogScenario, OfACsvNeedsTheBenchmarksName) {
  const auto file = write_log("table.csv", "bytes,latency_us\n0,1.5\n8,1.6\n");
  auto place = unknown_cluster();
  const auto unnamed = read_log_scenarios(file, place);
  ASSERT_FALSE(unnamed);
  EXPECT_EQ(to_text(unnamed.errors()[0]),
            file + ": got a table whose benchmark is not named, expected a table of imb-pingpong, "
                   "imb-sendrecv, osu-latency, osu-bw or osu-bibw");
  place.benchmark = "osu-latency";
  const auto named = read_log_scenarios(file, place);
  ASSERT_TRUE(named);
  EXPECT_EQ(std::get<Benchmark>(named->front().workload).name, BenchmarkName::osu_latency);
}

TEST(LogScenario, RefusesOtherBenchmarks) {
  const auto file = write_log(
      "a2a.log",
      "# OSU MPI All-to-All Personalized Exchange Latency Test v5.6\n# Size       Avg Latency(us)\n1    4.0\n");
  const auto scenarios = read_log_scenarios(file, unknown_cluster());
  ASSERT_FALSE(scenarios);
  EXPECT_EQ(to_text(scenarios.errors()[0]), file +
                                                ": got osu-alltoall, expected a table of imb-pingpong, imb-sendrecv, "
                                                "osu-latency, osu-bw or osu-bibw");
}

} // namespace
} // namespace kakehashi
