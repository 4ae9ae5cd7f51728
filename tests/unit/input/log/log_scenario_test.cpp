#include "input/log/log_scenario.hpp"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::string write_log(const std::string& name, const std::string& text) {
  const auto file = testing::TempDir() + name;
  std::ofstream(file) << text;
  return file;
}

constexpr std::string_view usable =
    "two ranks of imb-pingpong, imb-sendrecv, imb-exchange, osu-latency, osu-bw, osu-bibw or osu-mbw_mr";

std::string fault_of(const std::string& file, const LogPlace& place) {
  const auto found = read_log_scenarios(file, place);
  return found ? "" : to_text(found.errors()[0]);
}

TEST(LogScenario, IsABenchmarkWithTheLogsSizesAndCurve) {
  const auto file =
      write_log("run-7.log", "# OSU MPI Bandwidth Test v5.6\n# Size      Bandwidth (MB/s)\n1      2.50\n64   150.00\n");
  const auto found = read_log_scenarios(file, unknown_cluster());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->scenarios.size(), 1u);
  EXPECT_TRUE(found->notes.empty());
  const auto& scenario = found->scenarios.front();
  EXPECT_EQ(scenario.name, "run-7");
  EXPECT_EQ(std::get<Benchmark>(scenario.workload).name, "osu-bw");
  EXPECT_EQ(std::get<Benchmark>(scenario.workload).sizes, (std::vector<Bytes>{Bytes{1}, Bytes{64}}));
  EXPECT_EQ(scenario.reference->curve.metric, Metric::bandwidth);
  EXPECT_EQ(scenario.reference->curve.at(Bytes{64}), 150);
}

TEST(LogScenario, OfACsvNeedsTheBenchmarksName) {
  const auto file = write_log("table.csv", "bytes,latency_us\n0,1.5\n8,1.6\n");
  auto place = unknown_cluster();
  EXPECT_EQ(fault_of(file, place), fmt::format("{}: got a table whose benchmark is not named (--benchmark names it), "
                                               "expected {}",
                                               file, usable));
  place.benchmarks = {"osu-bw", "osu-latency"};
  const auto named = read_log_scenarios(file, place);
  ASSERT_TRUE(named);
  EXPECT_TRUE(named->used_benchmark);
  EXPECT_EQ(std::get<Benchmark>(named->scenarios.front().workload).name, "osu-latency");
}

TEST(LogScenario, RefusesOtherBenchmarks) {
  const auto file = write_log(
      "a2a.log",
      "# OSU MPI All-to-All Personalized Exchange Latency Test v5.6\n# Size       Avg Latency(us)\n1    4.0\n");
  EXPECT_EQ(fault_of(file, unknown_cluster()), fmt::format("{}: got osu-alltoall, expected {}", file, usable));
}

std::string message_rate(int pairs) {
  return fmt::format("# OSU MPI Multiple Bandwidth / Message Rate Test v5.7\n# [ pairs: {} ] [ window size: 32 ]\n"
                     "# Size                  MB/s        Messages/s\n1    2.0    2000000.0\n2    4.0    2000000.0\n",
                     pairs);
}

TEST(LogScenario, OfOnePairsMessageRateIsABandwidthTestOfItsWindow) {
  const auto found = read_log_scenarios(write_log("rate.log", message_rate(1)), unknown_cluster());
  ASSERT_TRUE(found);
  const auto& benchmark = std::get<Benchmark>(found->scenarios.front().workload);
  EXPECT_EQ(benchmark.name, "osu-bw");
  EXPECT_EQ(benchmark.window, 32);
  const auto file = write_log("rates.log", message_rate(4));
  EXPECT_EQ(fault_of(file, unknown_cluster()),
            fmt::format("{}: got osu-mbw_mr of 8 processes, expected {}", file, usable));
}

TEST(LogScenario, OfMultiLatencyIsALatencyTestIfTheUserSaysSo) {
  const auto file = write_log("multi.log", "# OSU MPI Multi Latency Test v5.7\n# Size   Latency (us)\n0 1.5\n8 1.6\n");
  auto place = unknown_cluster();
  EXPECT_EQ(fault_of(file, place), fmt::format("{}: got osu-multi_lat, which does not state its pairs (--benchmark "
                                               "osu-latency if it was one), expected {}",
                                               file, usable));
  place.benchmarks = {"osu-bw", "osu-latency"};
  EXPECT_EQ(fault_of(file, place), "");
}

TEST(LogScenario, PassesOverRingsAndTellsTablesApart) {
  const std::string columns = "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
                              "0 1000 1 1 1 0\n8 1000 1.1 1.1 1.1 1\n";
  const auto file = write_log("several.log", "# Benchmarking Sendrecv\n# #processes = 2\n" + columns +
                                                 "# Benchmarking Exchange\n# #processes = 2\n" + columns +
                                                 "# Benchmarking Sendrecv\n# #processes = 4\n" + columns);
  const auto found = read_log_scenarios(file, unknown_cluster());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->scenarios.size(), 2u);
  EXPECT_EQ(found->scenarios[0].name, "several (line 3)");
  EXPECT_EQ(found->scenarios[1].reference->curve.name, "several (line 8)");
  EXPECT_EQ(std::get<Benchmark>(found->scenarios[1].workload).name, "imb-exchange");
  EXPECT_EQ(found->notes, std::vector<std::string>{file + ": passed over imb-sendrecv of 4 processes"});
}

TEST(LogScenario, OfSeveralPairsAtOnceHasANote) {
  const auto file = write_log("groups.log", "# Benchmarking Multi-PingPong\n"
                                            "# ( 2 groups of 2 processes each running simultaneous )\n"
                                            "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
                                            "0 1000 1 1 1 0\n8 1000 1.1 1.1 1.1 1\n");
  const auto found = read_log_scenarios(file, unknown_cluster());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->notes, std::vector<std::string>{
                              file + ": line 3: 2 pairs ran at once; what they shared makes the fabric look slower"});
}

} // namespace
} // namespace kakehashi
