// Collective benchmarks through SimGrid, with times worked by hand.
#include "engine/mpi/results.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/collective/registry.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Nodes around a switch: 1 GB/s in each direction and 0.5 us to it. Overheads of 0.5 us and 0.25 us, all eager: n bytes
// take 0.5 + 1 + n/(1 GB/s) + 0.25 us.
std::shared_ptr<Platform> star(int nodes, int cpus_of_a_node = 1) {
  auto platform = std::make_shared<Platform>();
  platform->name = "star";
  platform->devices.push_back({"switch", DeviceKind::network_switch, std::nullopt, std::nullopt});
  const auto cable = [&](std::size_t device) {
    Link link;
    link.name = platform->devices[device].name;
    link.from = device;
    link.to = 0;
    link.type = link_type("ethernet");
    link.bandwidth = gigabytes_per_second(1);
    link.latency = microseconds(0.5);
    platform->links.push_back(link);
  };
  for (int node = 0; node < nodes; ++node) {
    platform->nodes.push_back(std::string(1, static_cast<char>('a' + node)));
    for (int cpu = 0; cpu < cpus_of_a_node; ++cpu) {
      platform->devices.push_back({platform->nodes.back() + ".cpu" + std::to_string(cpu), DeviceKind::cpu,
                                   static_cast<std::size_t>(node), std::nullopt});
      cable(platform->devices.size() - 1);
    }
  }
  Regime eager;
  eager.send_overhead.fill(microseconds(0.5));
  eager.receive_overhead.fill(microseconds(0.25));
  Fabric net;
  net.name = "net";
  net.links = {link_type("ethernet")};
  net.rules = {{std::nullopt, std::nullopt, std::nullopt, {eager}}};
  platform->fabrics = {net};
  return platform;
}

Scenario scenario_of(std::shared_ptr<const Platform> platform, const char* name, std::uint64_t bytes,
                     Collective collective, const char* algorithm) {
  Scenario scenario;
  scenario.name = "test";
  scenario.platform = std::move(platform);
  scenario.fabric = "net";
  for (std::size_t device = 1; device < scenario.platform->devices.size(); ++device)
    scenario.ranks.push_back(device);
  Benchmark benchmark;
  benchmark.name = name;
  benchmark.sizes = {Bytes{bytes}};
  scenario.workload = benchmark;
  scenario.mpi.algorithms[static_cast<std::size_t>(collective)] =
      AlgorithmChoice{index_of_algorithm(collective, algorithm), {}, 0};
  return scenario;
}

// Of a benchmark of one size.
struct Row : Figures {
  std::string algorithm; // of a collective operation
};

Row row_of(const Scenario& scenario) {
  const auto record = run(scenario);
  EXPECT_TRUE(record) << (record ? "" : to_text(record.errors().front()));
  if (!record)
    return {};
  const auto has_algorithm = record->table.columns.back().name == "algorithm";
  return {record->table.figures.front(), has_algorithm ? algorithm_of(*record) : ""};
}

void expect_times(const Figures& row, double least, double greatest, double mean) {
  EXPECT_NEAR(in_microseconds(row.t_min), least, 1e-6);
  EXPECT_NEAR(in_microseconds(row.t_max), greatest, 1e-6);
  EXPECT_NEAR(in_microseconds(row.t_avg), mean, 1e-6);
}

// Three steps of 0.5 + 1 + 1 + 0.25 us, on all ranks at once, behind the copy of a rank's own block at 0.1 ns/B.
TEST(Collectives, RingAllgatherTakesAStepForEachOtherRank) {
  const auto row = row_of(scenario_of(star(4), "imb-allgather", 1000, Collective::allgather, "ring"));
  expect_times(row, 8.35, 8.35, 8.35);
  EXPECT_EQ(row.algorithm, "ring");
  EXPECT_EQ(row.repetitions, 1000);
}

Scenario with_width(Scenario scenario, Collective collective, int width) {
  scenario.mpi.algorithms[static_cast<std::size_t>(collective)]->width = width;
  return scenario;
}

// Behind the copy of its own block at 0.1 ns/B: with one at a time three steps as above; else a rank sends for 1.5 us,
// the last of which takes 2.25 us more.
TEST(Collectives, LinearAlltoallHasAsManyOnTheirWayAsItsWidth) {
  const auto scenario = scenario_of(star(4), "imb-alltoall", 1000, Collective::alltoall, "linear");
  const auto narrow = row_of(with_width(scenario, Collective::alltoall, 1));
  expect_times(narrow, 8.35, 8.35, 8.35);
  EXPECT_LT(row_of(scenario).t_max, microseconds(6));
}

// Two steps with two blocks each: to pack and unpack 2000 B at 0.1 ns/B and 60 ns a block, and a message of 0.5 + 1 + 2
// + 0.25 us. Before and behind them it turns its 4000 B; and it copies its own block.
TEST(Collectives, BruckPacksAndTurnsItsBlocks) {
  const auto row = row_of(scenario_of(star(4), "imb-alltoall", 1000, Collective::alltoall, "bruck"));
  expect_times(row, 9.44, 9.44, 9.44);
}

// Vectors pass three ranks one after the other, or come to the root from all at once.
TEST(Collectives, ChainsOfAReduceAreSideBySide) {
  auto scenario = scenario_of(star(4), "imb-reduce", 100, Collective::reduce, "chain");
  scenario.mpi.reduction = PerKind<SecondsPerByte>{}; // adding takes no time
  std::get<Benchmark>(scenario.workload).repetitions = 1;
  const auto one = row_of(with_width(scenario, Collective::reduce, 1));
  const auto three = row_of(with_width(scenario, Collective::reduce, 3));
  EXPECT_LT(3 * three.t_max, one.t_max);
}

// Two workers have four items of 300 us each.
TEST(BossWorker, TellsTheTimeOfAnItem) {
  auto scenario = scenario_of(star(3), "imb-barrier", 0, Collective::barrier, "dissemination");
  scenario.workload = BossWorker{{3}, 4, Bytes{32}, all_kinds(microseconds(100))};
  const auto row = row_of(scenario);
  EXPECT_NEAR(in_microseconds(row.t_max), 1200, 30);
  EXPECT_NEAR(8 * row.cost / row.t_max, 1, 1e-9);
  EXPECT_NEAR(row.rate * row.t_max.value, 8, 1e-9);
}

TEST(Collectives, KnomialBcastToBaseTwoIsABinomialOne) {
  const auto scenario = scenario_of(star(4), "osu-bcast", 100, Collective::bcast, "knomial");
  const auto binomial = row_of(scenario_of(star(4), "osu-bcast", 100, Collective::bcast, "binomial"));
  EXPECT_EQ(row_of(with_width(scenario, Collective::bcast, 2)).t_max, binomial.t_max);
  EXPECT_NE(row_of(scenario).t_max, binomial.t_max);
}

// The barrier before, the library's recursive doubling, leaves rank 0 at 7.2 us, ranks 1, 2, 3 at 6.2, 6.2 and 5.2 us.
// Rank 0 sends to rank 2 and to rank 1 and is done at 8.2; rank 1 has the data at 9.55; rank 2 at 9.05, and is done
// with sending at 9.55; rank 3 at 10.9.
TEST(Collectives, BinomialBcastIsMeasuredBetweenBarriersByOsu) {
  const auto row = row_of(scenario_of(star(4), "osu-bcast", 100, Collective::bcast, "binomial"));
  expect_times(row, 1.0, 5.7, 3.35);
}

// Two rounds of 2.75 us and of 0.2 us and 1000 B · 0.25 ns, behind a copy of the own vector at 0.1 ns/B.
TEST(Collectives, AllreduceTakesTimeToAdd) {
  const auto scenario = scenario_of(star(4), "imb-allreduce", 1000, Collective::allreduce, "recursive-doubling");
  expect_times(row_of(scenario), 6.5, 6.5, 6.5);
}

TEST(Collectives, TimeToAddIsTheScenarios) {
  auto scenario = scenario_of(star(4), "imb-allreduce", 1000, Collective::allreduce, "recursive-doubling");
  scenario.mpi.reduction = all_kinds(SecondsPerByte{1e-9});
  scenario.mpi.source = {SourceKind::document, "a text"};
  const auto record = run(scenario);
  ASSERT_TRUE(record);
  const auto& row = record->table.figures.front();
  expect_times(row, 8.0, 8.0, 8.0);
  EXPECT_EQ(record->sources.back().place, "/mpi/copy");
  EXPECT_EQ(record->sources[record->sources.size() - 2].place, "/mpi/reduction");
  EXPECT_EQ(record->sources.back().source.from, "a text");
}

// Each of the two vectors takes 0.2 us all the same.
TEST(Collectives, AddingTakesTimeForEachVector) {
  auto scenario = scenario_of(star(4), "imb-allreduce", 1000, Collective::allreduce, "recursive-doubling");
  scenario.mpi.reduction = PerKind<SecondsPerByte>{};
  expect_times(row_of(scenario), 6.0, 6.0, 6.0);
}

TEST(Collectives, HaveNoMoreSegmentsThanAnIntCounts) {
  auto scenario = scenario_of(star(2), "imb-bcast", largest_size.count, Collective::bcast, "chain");
  scenario.mpi.algorithms[static_cast<std::size_t>(Collective::bcast)]->segment = Bytes{1024};
  const auto record = run(scenario);
  ASSERT_FALSE(record);
  EXPECT_EQ(to_text(record.errors().front()),
            "got bcast of 1024 TiB in segments of 1 KiB, expected at most 2147483647 segments");
}

// Two rounds without data, 1.75 us each.
TEST(Collectives, BarrierTakesARoundForEachPowerOfTwo) {
  const auto scenario = scenario_of(star(4), "imb-barrier", 0, Collective::barrier, "dissemination");
  expect_times(row_of(scenario), 3.5, 3.5, 3.5);
}

// A rank sends only when it has received: 0.5 + 1 + 0.1 + 0.25 us each time. The barrier before leaves rank 1 1 us
// after rank 0, so it receives the first one after 0.85 us, and has done the first two after 1.35 us, not 3.7.
TEST(Collectives, ImbChangesTheRootEachTime) {
  const auto scenario = scenario_of(star(2), "imb-bcast", 100, Collective::bcast, "binomial");
  const double early = 2.35 / 1000;
  expect_times(row_of(scenario), 1.85 - early, 1.85, 1.85 - early / 2);
}

// One rank sends all the time, 0.5 us each. The other one comes 1 us before it and has the first after 2.85 us.
TEST(Collectives, ARootThatIsGivenStays) {
  auto scenario = scenario_of(star(2), "imb-bcast", 100, Collective::bcast, "binomial");
  std::get<Benchmark>(scenario.workload).root = 1;
  const double late = 2.35 / 1000;
  expect_times(row_of(scenario), 0.5, 0.5 + late, 0.5 + late / 2);
}

// Node a has ranks 0 and 1, node b ranks 2 and 3. A barrier inside the nodes, one between their first ranks (1.75 us),
// and a message to the others: 0.5 us for the sender, 1.75 us for the receiver, who therefore begins anew 1.25 us
// later. Then the first barrier takes the sender 1.25 + 1.5 + 0.25 us: 3 + 1.75 + 0.5 us in all.
TEST(Collectives, TwoLevelsFollowTheRanksPlaces) {
  auto scenario = scenario_of(star(2, 2), "imb-barrier", 0, Collective::barrier, "two-level");
  scenario.mpi.selector = Selector::mpich;
  const auto row = row_of(scenario);
  expect_times(row, 5.25, 5.25, 5.25);
  EXPECT_EQ(row.algorithm, "two-level");
}

// A vector of no elements is not sent at all.
TEST(Collectives, WithoutDataReturnAtOnce) {
  const auto row = row_of(scenario_of(star(4), "imb-bcast", 0, Collective::bcast, "binomial"));
  expect_times(row, 0, 0, 0);
  EXPECT_EQ(row.algorithm, "none");
}

// What a rank moves within its memory before the last one is done: what a nanosecond a byte more makes of one
// iteration.
double bytes_moved(Scenario scenario) {
  std::get<Benchmark>(scenario.workload).repetitions = 1;
  scenario.mpi.selector = Selector::mpich;
  const auto time_at = [&](double per_byte) {
    scenario.mpi.copy = all_kinds(SecondsPerByte{per_byte});
    return row_of(scenario).t_max.value;
  };
  return (time_at(2e-9) - time_at(1e-9)) / 1e-9;
}

// All but rank 0 turn the whole, behind the copy of the own block.
TEST(Moves, OfABruckAllgatherAreOfAllBlocks) {
  EXPECT_NEAR(bytes_moved(scenario_of(star(4), "imb-allgather", 1000, Collective::allgather, "bruck")), 5000, 1);
}

// Ranks are on two nodes by turns, so the blocks of a node are not one piece.
TEST(Moves, OfTwoLevelsArrangeTheBlocksOfNodes) {
  const auto by_turns = [](const char* name, Collective collective) {
    auto scenario = scenario_of(star(2, 2), name, 1000, collective, "two-level");
    scenario.ranks = {1, 3, 2, 4};
    return bytes_moved(scenario);
  };
  EXPECT_NEAR(by_turns("imb-scatter", Collective::scatter), 2000, 1);
  EXPECT_NEAR(by_turns("imb-gather", Collective::gather), 2000, 1);
  EXPECT_NEAR(by_turns("imb-alltoall", Collective::alltoall), 1000 + 2 * 4000, 1); // its own; four out of rows and in
}

class EachCollectiveBenchmark : public testing::TestWithParam<std::string> {};

TEST_P(EachCollectiveBenchmark, RunsOnAnyNumberOfRanks) {
  Scenario scenario;
  scenario.platform = star(3, 2);
  scenario.fabric = "net";
  scenario.ranks = {1, 2, 3, 4, 5};
  scenario.mpi.selector = Selector::mpich;
  Benchmark benchmark;
  benchmark.name = GetParam();
  benchmark.sizes = {Bytes{6400}};
  scenario.workload = benchmark;
  const auto row = row_of(scenario);
  EXPECT_GT(row.t_max.value, 0);
  constexpr double rounding = 1e-12;
  EXPECT_GE(row.t_max.value, row.t_avg.value * (1 - rounding));
  EXPECT_GE(row.t_avg.value, row.t_min.value * (1 - rounding));
  EXPECT_NE(row.algorithm, "");
}

std::vector<std::string> collective_benchmarks() {
  auto names = benchmark_names();
  std::erase_if(names, [](const std::string& name) { return !find_benchmark(name)->collective; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Table, EachCollectiveBenchmark, testing::ValuesIn(collective_benchmarks()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Each rank of a grid of 2 by 2 sends two payloads of 10 us, which leave 0.5 us one after the other and share its
// cable: 0.5 + 1 + 20 + 0.25 us.
TEST(Halo, NeighboursShareTheCablesOfTheRanks) {
  auto scenario = scenario_of(star(4), "halo-2d", 10000, Collective::barrier, "dissemination");
  std::get<Benchmark>(scenario.workload).columns = 2;
  expect_times(row_of(scenario), 21.75, 21.75, 21.75);
}

TEST(Halo, RanksAtTheEdgesHaveFewerNeighbours) {
  auto scenario = scenario_of(star(2), "halo-2d", 10000, Collective::barrier, "dissemination");
  std::get<Benchmark>(scenario.workload).columns = 1; // one above the other
  expect_times(row_of(scenario), 11.75, 11.75, 11.75);
}

} // namespace
} // namespace kakehashi
