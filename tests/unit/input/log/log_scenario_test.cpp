#include "input/log/log_scenario.hpp"

#include "scratch_folder.hpp"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::string write_log(const std::string& name, const std::string& text) {
  const auto file = scratch_file(name);
  std::ofstream(file) << text;
  return file;
}

constexpr std::string_view usable =
    "two ranks of imb-pingpong, imb-sendrecv, imb-exchange, osu-latency, osu-bw, osu-bibw or osu-mbw_mr, or pairs of "
    "osu-mbw_mr, imb-uniband or imb-biband";

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
  EXPECT_EQ(found->pair_tests.front().pairs, 1u);
}

TEST(LogScenario, OfSeveralPairsIsATestOfPairs) {
  const auto found = read_log_scenarios(write_log("rates.log", message_rate(4)), unknown_cluster());
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->scenarios.empty());
  ASSERT_EQ(found->pair_tests.size(), 1u);
  const auto& test = found->pair_tests.front();
  EXPECT_EQ(test.name, "rates");
  EXPECT_EQ(test.pairs, 4u);
  EXPECT_FALSE(test.both_ways);
  EXPECT_EQ(test.points[1].size, Bytes{2});
  EXPECT_EQ(test.points[1].mbytes_per_s, 4);
  EXPECT_EQ(test.points[1].messages_per_s, 2e6);
}

TEST(LogScenario, OfASendrecvOfASocketsCoresIsATestOfPairs) {
  const auto file =
      write_log("cores.log", "# Benchmarking Sendrecv\n# #processes = 8\n#bytes #repetitions  t_min[usec]  "
                             "t_max[usec]  t_avg[usec]   Mbytes/sec\n1000 1000 1 2 1.5 1000\n");
  auto place = unknown_cluster();
  EXPECT_NE(fault_of(file, place), "");
  place.ranks = {0, 0};
  const auto found = read_log_scenarios(file, place);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pair_tests.front().pairs, 4u);
  EXPECT_EQ(found->pair_tests.front().points[0].mbytes_per_s, 8 * 1000 / 2);
}

std::string in_a_large_job(const std::string& name) {
  return write_log(name, "# Benchmarking PingPong\n# #processes = 2\n# ( 54 additional processes waiting in "
                         "MPI_Barrier)\n#bytes #repetitions t[usec] Mbytes/sec\n0 1000 0.3 0\n8 1000 0.4 20\n");
}

TEST(LogScenario, OfAPingPongInOneNodeIsNoNetwork) {
  const auto file = in_a_large_job("job.log");
  const auto unknown = read_log_scenarios(file, unknown_cluster());
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->notes,
            std::vector<std::string>{file + ": line 4: \"54 additional processes waiting in MPI_Barrier\", so that the "
                                            "ranks were probably in one node and this is no network"});
  auto place = unknown_cluster();
  auto platform = *place.platform;
  platform.file = "p.json";
  place.platform = std::make_shared<const Platform>(platform);
  EXPECT_EQ(fault_of(file, place),
            file + ": line 4: got imb-pingpong with \"54 additional processes waiting in MPI_Barrier\", so that its "
                   "ranks were probably in one node, expected --log same-socket=FILE or same-node=FILE, or "
                   "between-nodes=FILE if they were not");
  place.is_stated = true;
  EXPECT_EQ(fault_of(file, place), "");
}

TEST(LogScenario, MayBeATableOfOurOwn) {
  const auto own = [](const std::string& ranks) {
    return "# s: osu-latency on mine, fabric ib\n# ranks on " + ranks +
           "\n# Size         Latency (us)     measured     error\n0                      1.52         1.61    -5.3 %\n"
           "8                      1.60\n# mean error 5.3 %, worst 5.3 % at 0 B, over 1 size\n";
  };
  const auto found = read_log_scenarios(write_log("own.log", own("a.cpu, b.cpu")), unknown_cluster());
  ASSERT_TRUE(found) << to_text(found.errors()[0]);
  const auto& scenario = found->scenarios.front();
  EXPECT_EQ(std::get<Benchmark>(scenario.workload).name, "osu-latency");
  EXPECT_EQ(scenario.reference->curve.at(Bytes{0}), 1.52);
  EXPECT_EQ(scenario.reference->curve.at(Bytes{8}), 1.6);
  const auto many =
      write_log("own-many.log", own("a.cpu, a.cpu, a.cpu, a.cpu, a.cpu, a.cpu, a.cpu, a.cpu and 24 more"));
  EXPECT_EQ(fault_of(many, unknown_cluster()),
            fmt::format("{}: got osu-latency of 32 processes, expected {}", many, usable));
}

TEST(LogScenario, OfMultiLatencyIsALatencyTestIfTheUserSaysSo) {
  const auto file = write_log("multi.log", "# OSU MPI Multi Latency Test v5.7\n# Size   Latency (us)\n0 1.5\n8 1.6\n");
  auto place = unknown_cluster();
  EXPECT_EQ(fault_of(file, place), fmt::format("{}: got osu-multi_lat, which does not state its pairs (--log "
                                               "between-nodes:8=FILE does), expected {}",
                                               file, usable));
  place.benchmarks = {"osu-bw", "osu-latency"};
  EXPECT_EQ(fault_of(file, place), "");
  place.benchmarks.clear();
  place.pairs = 1;
  EXPECT_EQ(read_log_scenarios(file, place)->scenarios.size(), 1u);
  place.pairs = 4;
  EXPECT_NE(fault_of(file, place), "");
  place.ranks = {0, 0};
  const auto found = read_log_scenarios(file, place);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pair_tests.front().points[1].mbytes_per_s, 4 * 8 / 1.6);
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
