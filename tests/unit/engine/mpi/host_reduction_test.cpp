// Reductions of ranks on GPUs that the library does on their hosts, with times and bytes worked by hand.
#include "engine/mpi/results.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/collective/registry.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace host_reduction_test {

constexpr std::uint64_t vector_size = 100'000;

void join(Platform& platform, const char* name, std::size_t from, std::size_t to, const char* type, double gigabytes,
          double latency) {
  Link link;
  link.name = name;
  link.from = from;
  link.to = to;
  link.type = link_type(type);
  link.bandwidth = gigabytes_per_second(gigabytes);
  link.latency = microseconds(latency);
  platform.links.push_back(link);
}

// Two nodes of a cpu and a gpu, 10 GB/s between them, and Ethernet of 1 GB/s and 1 us between the cpus. Messages take
// 0.5 us at the sender and 0.25 us at the receiver.
std::shared_ptr<Platform> machine() {
  auto platform = std::make_shared<Platform>();
  platform->name = "m";
  platform->file = "p.json";
  platform->nodes = {"a", "b"};
  platform->devices = {{"a.cpu", DeviceKind::cpu, 0, std::nullopt},
                       {"a.gpu", DeviceKind::gpu, 0, std::nullopt},
                       {"b.cpu", DeviceKind::cpu, 1, std::nullopt},
                       {"b.gpu", DeviceKind::gpu, 1, std::nullopt}};
  join(*platform, "a", 1, 0, "pcie", 10, 0);
  join(*platform, "b", 3, 2, "pcie", 10, 0);
  join(*platform, "net", 0, 2, "ethernet", 1, 1);
  Regime eager;
  eager.send_overhead.fill(microseconds(0.5));
  eager.receive_overhead.fill(microseconds(0.25));
  Fabric all;
  all.name = "all";
  all.links = {link_type("pcie"), link_type("ethernet")};
  all.rules = {{std::nullopt, std::nullopt, std::nullopt, {eager}}};
  auto gpus = all;
  gpus.name = "gpus";
  gpus.rules[0].between = {DeviceKind::gpu, DeviceKind::gpu};
  platform->fabrics = {all, gpus};
  return platform;
}

// A cpu adds a byte in 1 ns and copies one in 0.5 ns; a gpu takes a thousandth of that. A copy starts in 2 us.
Scenario scenario_of(std::shared_ptr<const Platform> platform, const char* benchmark, Collective collective,
                     const char* algorithm) {
  Scenario scenario;
  scenario.name = "s";
  scenario.file = "s.json";
  scenario.platform = std::move(platform);
  scenario.fabric = "all";
  scenario.ranks = {1, 3};
  Benchmark measured;
  measured.name = benchmark;
  measured.sizes = {Bytes{vector_size}};
  measured.repetitions = 1;
  scenario.workload = measured;
  auto& mpi = scenario.mpi;
  mpi.algorithms[static_cast<std::size_t>(collective)] =
      AlgorithmChoice{index_of_algorithm(collective, algorithm), {}, 0};
  auto& reduction = mpi.reduction.emplace(all_kinds(SecondsPerByte{1e-9}));
  auto& copy = mpi.copy.emplace(all_kinds(SecondsPerByte{0.5e-9}));
  reduction[static_cast<std::size_t>(DeviceKind::gpu)] = {1e-12};
  copy[static_cast<std::size_t>(DeviceKind::gpu)] = {0.5e-12};
  mpi.gpu_copy_start = microseconds(2);
  return scenario;
}

Scenario allreduce(std::shared_ptr<const Platform> platform = machine()) {
  return scenario_of(std::move(platform), "imb-allreduce", Collective::allreduce, "recursive-doubling");
}

// On both engines.
double time_of(const Scenario& scenario) {
  return on_both_engines(scenario, [](const RunRecord& record) { return record.table.figures.front().t_max; });
}

// Both buffers go to the host in 2 + 10 us over the link and 50 us from pinned memory to pageable one. There the own
// vector is copied in 50 us, exchanged in 0.5 + 1 + 100 + 0.25 us and added in 0.2 + 100 us; and the result goes back.
TEST(HostReduction, CopiesBothBuffersAddsOnTheHostAndCopiesTheResult) {
  EXPECT_NEAR(time_of(allreduce()), 2 * 62 + 50 + 101.75 + 100.2 + 62, 1e-3);
}

// At 8 GB/s the memory is the narrowest channel of the three copies of 100 kB over links of 10 GB/s, 2.5 us longer
// each.
TEST(HostReduction, CopiesLoadTheHostsMemoryBeyondItsCaches) {
  const auto with_cache = [](Bytes cache) {
    auto platform = machine();
    for (const std::size_t host : {0, 2})
      platform->devices[host].memory = Memory{gigabytes_per_second(8), {}, {}, cache, {}};
    return time_of(allreduce(platform));
  };
  EXPECT_NEAR(with_cache(Bytes{1024}), time_of(allreduce()) + 3 * 2.5, 1e-3);
  EXPECT_NEAR(with_cache(Bytes{1 << 20}), time_of(allreduce()), 1e-3);
}

TEST(HostReduction, OfLibrariesThatOnlyOverwriteTheResultCopiesOneBuffer) {
  auto scenario = allreduce();
  scenario.mpi.selector = Selector::mpich_4;
  scenario.mpi.gpu_reductions = GpuReductions::host;
  EXPECT_NEAR(time_of(scenario), 62 + 50 + 101.75 + 100.2 + 62, 1e-3);
}

TEST(HostReduction, IsNoneIfGpusAdd) {
  auto scenario = allreduce();
  scenario.mpi.gpu_reductions = GpuReductions::device;
  EXPECT_NEAR(time_of(scenario), 0.05 + 101.75 + 0.3, 1e-3);
  scenario.mpi.gpu_reductions.reset();
  scenario.mpi.selector = Selector::fixed;
  EXPECT_NEAR(time_of(scenario), 0.05 + 101.75 + 0.3, 1e-3);
}

TEST(HostReduction, IsNoneOfCollectivesThatAddNothing) {
  auto scenario = scenario_of(machine(), "imb-bcast", Collective::bcast, "binomial");
  const auto time = time_of(scenario);
  scenario.mpi.gpu_reductions = GpuReductions::device;
  EXPECT_EQ(time, time_of(scenario));
  EXPECT_LT(time, 110);
}

// A rank on a cpu is its own host: it waits for the other's copies, exchanges and adds, up to the 1.5 us by which they
// leave the barrier before.
TEST(HostReduction, LeavesRanksOnCpusWhereTheyAre) {
  auto scenario = allreduce();
  scenario.ranks = {1, 2};
  EXPECT_NEAR(time_of(scenario), 2 * 62 + 50 + 101.75 + 100.2, 1.6);
  scenario.ranks = {0, 2};
  EXPECT_NEAR(time_of(scenario), 50 + 101.75 + 100.2, 1e-3);
}

// GPUs that share a slot copy at half its rate.
TEST(HostReduction, SharesTheLinksOfItsCopies) {
  const auto with_slots = [](bool is_shared) {
    auto platform = machine();
    platform->devices.push_back({"a.gpu1", DeviceKind::gpu, 0, std::nullopt});
    platform->devices.push_back({"a.switch", DeviceKind::network_switch, 0, std::nullopt});
    platform->links[0].to = is_shared ? 5 : 0;
    join(*platform, "a1", 4, is_shared ? 5 : 0, "pcie", 10, 0);
    join(*platform, "up", 5, 0, "pcie", 10, 0);
    auto scenario = allreduce(platform);
    scenario.ranks = {1, 4};
    return time_of(scenario);
  };
  EXPECT_NEAR(with_slots(true) - with_slots(false), 3 * 10, 1e-3);
}

// A message then crosses the sockets of one node, 1 us more.
TEST(HostReduction, IsOnTheNearestCpu) {
  auto platform = machine();
  platform->devices.push_back({"a.cpu1", DeviceKind::cpu, 0, std::nullopt});
  platform->links[0].to = 4;
  join(*platform, "sockets", 4, 0, "qpi", 10, 1);
  for (auto& fabric : platform->fabrics)
    fabric.links.push_back(link_type("qpi"));
  EXPECT_NEAR(time_of(allreduce(platform)), time_of(allreduce()) + 1, 1e-3);
}

struct Copied {
  double to_host = 0, to_gpu = 0; // vectors, in all iterations
};
Copied copied_by(const Scenario& scenario, std::size_t rank) {
  Recording recording;
  const auto record = run(scenario, &recording, {.kind = EngineKind::fluid, .tolerance = 0});
  EXPECT_TRUE(record);
  recording.channel_bytes.resize(6);
  return {recording.channel_bytes[2 * rank] / vector_size, recording.channel_bytes[2 * rank + 1] / vector_size};
}

TEST(HostReduction, CopiesWhatTheLibraryCopies) {
  const auto expect = [](const Scenario& scenario, std::size_t rank, double to_host, double to_gpu) {
    const auto [up, down] = copied_by(scenario, rank);
    EXPECT_GT(up, 0);
    EXPECT_NEAR(down / up, to_gpu / to_host, 1e-9);
  };
  expect(allreduce(), 0, 2, 1);
  expect(allreduce(), 1, 2, 1);
  const auto reduce = scenario_of(machine(), "osu-reduce", Collective::reduce, "linear");
  expect(reduce, 0, 2, 1); // the root
  expect(reduce, 1, 1, 0);
  const auto scatter = scenario_of(machine(), "osu-reduce-scatter", Collective::reduce_scatter, "ring");
  expect(scatter, 1, 1.5, 0.5);
}

TEST(HostReduction, NeedsAFabricOfTheHosts) {
  auto scenario = allreduce();
  scenario.fabric = "gpus";
  const auto record = run(scenario);
  ASSERT_FALSE(record);
  EXPECT_EQ(to_text(record.errors()[0]),
            "p.json: /fabrics/gpus/rules: no rule fits \"b.cpu\" to \"a.cpu\" (between-nodes, cpu to cpu); the MPI "
            "library adds vectors of GPUs on their hosts: \"host_fabric\" of \"mpi\" names a fabric for them, and "
            "\"gpu_reductions\": \"device\" adds on the GPUs");
  scenario.mpi.host_fabric = "all";
  EXPECT_NEAR(time_of(scenario), time_of(allreduce()), 1e-6);
  scenario.mpi.host_fabric = "none";
  EXPECT_EQ(to_text(run(scenario).errors()[0]),
            "s.json: /mpi/host_fabric: got \"none\", expected a fabric of p.json: all, gpus");
}

TEST(HostReduction, NeedsACpu) {
  auto platform = machine();
  platform->devices[2].kind = DeviceKind::network_switch;
  const auto record = run(allreduce(platform));
  ASSERT_FALSE(record);
  const std::string begin = "p.json: no links lead from \"b.gpu\" to a cpu of its node; the MPI library adds";
  EXPECT_EQ(to_text(record.errors()[0]).substr(0, begin.size()), begin);
}

TEST(HostReduction, IsSaidUnlessItIsStated) {
  auto scenario = allreduce();
  const auto notes_of = [&] {
    const auto record = run(scenario);
    return record ? record->table.text.notes : std::vector<std::string>();
  };
  const auto has = [](const std::vector<std::string>& notes, const std::string& note) {
    return std::ranges::find(notes, note) != notes.end();
  };
  EXPECT_TRUE(has(notes_of(), "vectors of GPUs are added on their hosts, copied there whole and back (Open MPI: "
                              "coll/cuda); \"gpu_reductions\" of \"mpi\" states otherwise"));
  scenario.mpi.selector = Selector::intel_mpi;
  EXPECT_TRUE(has(notes_of(), "vectors of GPUs are added on the GPUs (intel-mpi: assumed, as nothing public says "
                              "where); \"gpu_reductions\" of \"mpi\" states otherwise"));
  scenario.mpi.gpu_reductions = GpuReductions::host;
  EXPECT_EQ(notes_of().size(), 2U); // of the algorithm and of NCCL
  EXPECT_TRUE(has(notes_of(), "this is MPI's; nccl-allreduce shows that of NCCL or RCCL"));
}

} // namespace host_reduction_test
} // namespace kakehashi
