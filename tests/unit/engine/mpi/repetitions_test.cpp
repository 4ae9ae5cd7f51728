// Benchmarks that end once their times are known are held to those that run all of their repetitions.
#include "base/units.hpp"
#include "engine/run.hpp"
#include "input/platform/platform_reader.hpp"
#include "workload/benchmark/benchmark.hpp"
#include "workload/workload.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

constexpr int ranks = 128; // eight on each node

std::shared_ptr<const Platform> cluster() {
  return std::make_shared<Platform>(*parse_platform(*parse_json(
      R"({"name": "cluster",
          "templates": {"node": {"devices": [{"name": "cpu", "kind": "cpu"}, {"name": "hca", "kind": "hca"}],
                                 "links": [{"between": ["cpu", "hca"], "type": "pcie", "generation": 4, "lanes": 16,
                                            "latency": "0.15 us"}]}},
          "nodes": {"n[00-15]": "node"},
          "networks": {"ib": {"kind": "fat-tree", "joins": ["n[00-15].hca"], "ports": 12,
                              "link": {"type": "infiniband", "signalling": "HDR", "lanes": 4, "latency": "0.1 us"}}},
          "fabrics": {"mpi": {"links": ["pcie", "infiniband"], "rules": [{"regimes": [
            {"from": "0 B", "to": "8 KiB", "o_send": "0.3 us", "o_recv": "0.4 us"},
            {"from": "8 KiB", "trips": 3, "o_send": "0.3 us", "o_recv": "0.4 us"}]}]}}})",
      "cluster.json")));
}

Table run_job(const Job& job, const Plan& planned) {
  auto done = run(job, nullptr, planned, {EngineKind::fluid});
  return done ? std::move(done->table) : Table{};
}

// The mean within 1 %, the times of the quickest and the slowest rank within 2 %.
void expect_same(const std::string& name, Bytes size) {
  SCOPED_TRACE(name + " " + to_text(size));
  const auto platform = cluster();
  std::vector<std::size_t> devices;
  for (std::size_t device = 0; device < platform->devices.size(); ++device)
    if (platform->devices[device].kind == DeviceKind::cpu)
      devices.insert(devices.end(), 8, device);
  ASSERT_EQ(devices.size(), static_cast<std::size_t>(ranks));
  const auto planned = plan(platform, "mpi", devices);
  ASSERT_TRUE(planned);
  const auto place = make_place(*platform, devices, {});
  Benchmark benchmark;
  benchmark.name = name;
  benchmark.sizes = {size};
  benchmark.repetitions = 200;
  const auto quick = run_job(job_of(benchmark, place), *planned);
  Iterations all(ranks, {size}, {200}, 1, 0);
  Job exact;
  exact.program = [&](Rank& rank) {
    return run_benchmark(Communicator(rank, place->world, rank.id, place->library), benchmark, all);
  };
  exact.table = [](const JobEnd&) { return Table{}; };
  run_job(exact, *planned);
  ASSERT_EQ(quick.figures.size(), 1u);
  ASSERT_EQ(all.timings().size(), 1u);
  const auto& figures = quick.figures.front();
  const auto times = all.timings().front().average;
  Seconds sum;
  for (const auto time : times)
    sum += time;
  const auto [least, most] = std::ranges::minmax(times);
  EXPECT_NEAR(figures.t_avg / ((1.0 / ranks) * sum), 1, 0.01);
  EXPECT_NEAR(figures.t_min / least, 1, 0.02);
  EXPECT_NEAR(figures.t_max / most, 1, 0.02);
}

// Each size by itself: how ranks come to it may decide for all of its iterations. Not IMB's Allreduce of 1000 B: its
// ranks come into step after 85 iterations, which then take 7 % longer, and nothing before tells.
TEST(Repetitions, LeftOutChangeNothing) {
  for (const auto* name : {"osu-allreduce", "imb-bcast", "imb-reduce", "imb-sendrecv", "imb-exchange"})
    for (const std::uint64_t size : {8, 1000, 20000})
      expect_same(name, Bytes{size});
  for (const auto* name : {"osu-allgather", "osu-alltoall", "imb-allreduce"})
    expect_same(name, Bytes{8});
  expect_same("imb-allreduce", Bytes{20000});
}

} // namespace
} // namespace kakehashi
