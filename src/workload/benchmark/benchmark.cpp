#include "workload/benchmark/benchmark.hpp"

#include <algorithm>
#include <array>

namespace kakehashi {
namespace {

// IMB: 1000, and no more than 40 MiB in all.
int imb_repetitions(Bytes size) {
  constexpr std::uint64_t overall = 40 << 20;
  return static_cast<int>(std::clamp<std::uint64_t>(overall / std::max<std::uint64_t>(1, size.count), 1, 1000));
}
// OSU 3.x: fewer above 8 KiB.
int osu_latency_repetitions(Bytes size) {
  return size.count > 8192 ? 100 : 10000;
}
int osu_bandwidth_repetitions(Bytes size) {
  return size.count > 8192 ? 20 : 100;
}
int osu_collective_repetitions(Bytes size) {
  return size.count > 8192 ? 100 : 1000;
}

// IMB 3 and 4 measure all their repetitions in a row. In rooted ones the root goes round.
constexpr BenchmarkKind imb_collective(BenchmarkName name) {
  return {name, nullptr, imb_repetitions, 1, 0, false};
}
constexpr BenchmarkKind imb_rooted(BenchmarkName name) {
  return {name, nullptr, imb_repetitions, 1, 0, false, true};
}
// OSU measures each repetition by itself, with barriers between; the root is rank 0.
constexpr BenchmarkKind osu_collective(BenchmarkName name) {
  return {name, nullptr, osu_collective_repetitions, 1, 0, false, false, true};
}

// In the order of the names.
constexpr std::array kinds{
    BenchmarkKind{BenchmarkName::imb_pingpong, ping_pong, imb_repetitions, 0.5, 1, true},
    BenchmarkKind{BenchmarkName::imb_sendrecv, neighbour_sendrecv, imb_repetitions, 1, 2, false},
    BenchmarkKind{BenchmarkName::imb_exchange, neighbour_exchange, imb_repetitions, 1, 4, false},
    BenchmarkKind{BenchmarkName::osu_latency, ping_pong, osu_latency_repetitions, 0.5, 1, true},
    BenchmarkKind{BenchmarkName::osu_bw, window_one_way, osu_bandwidth_repetitions, 1, 1, true},
    BenchmarkKind{BenchmarkName::osu_bibw, window_both_ways, osu_bandwidth_repetitions, 1, 2, true},
    imb_rooted(BenchmarkName::imb_bcast),
    imb_rooted(BenchmarkName::imb_reduce),
    imb_collective(BenchmarkName::imb_allreduce),
    imb_collective(BenchmarkName::imb_reduce_scatter),
    imb_collective(BenchmarkName::imb_allgather),
    imb_collective(BenchmarkName::imb_allgatherv),
    imb_rooted(BenchmarkName::imb_gather),
    imb_rooted(BenchmarkName::imb_gatherv),
    imb_rooted(BenchmarkName::imb_scatter),
    imb_rooted(BenchmarkName::imb_scatterv),
    imb_collective(BenchmarkName::imb_alltoall),
    imb_collective(BenchmarkName::imb_alltoallv),
    imb_collective(BenchmarkName::imb_barrier),
    imb_collective(BenchmarkName::imb_scan),
    osu_collective(BenchmarkName::osu_bcast),
    osu_collective(BenchmarkName::osu_reduce),
    osu_collective(BenchmarkName::osu_allreduce),
    osu_collective(BenchmarkName::osu_reduce_scatter),
    osu_collective(BenchmarkName::osu_allgather),
    osu_collective(BenchmarkName::osu_allgatherv),
    osu_collective(BenchmarkName::osu_gather),
    osu_collective(BenchmarkName::osu_gatherv),
    osu_collective(BenchmarkName::osu_scatter),
    osu_collective(BenchmarkName::osu_scatterv),
    osu_collective(BenchmarkName::osu_alltoall),
    osu_collective(BenchmarkName::osu_alltoallv),
    osu_collective(BenchmarkName::osu_barrier),
    BenchmarkKind{BenchmarkName::osu_put_latency, put_once, osu_latency_repetitions, 1, 1, true, false, true},
    BenchmarkKind{BenchmarkName::osu_get_latency, get_once, osu_latency_repetitions, 1, 1, true, false, true},
    BenchmarkKind{BenchmarkName::ring, ring_step, imb_repetitions, 1, 1, false, false, true},
    BenchmarkKind{BenchmarkName::open_ring, open_ring_step, imb_repetitions, 1, 1, false, false, true},
    BenchmarkKind{BenchmarkName::halo_2d, halo_step, imb_repetitions, 1, 1, false, false, true},
};
static_assert(kinds.size() == benchmark_names.size());
static_assert(std::is_sorted(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));

} // namespace

const BenchmarkKind& kind_of(BenchmarkName name) {
  return kinds[static_cast<std::size_t>(name)];
}

Iterations iterations_of(const Benchmark& benchmark, int ranks) {
  const auto& kind = kind_of(benchmark.name);
  std::vector<int> repetitions;
  for (const auto size : benchmark.sizes)
    repetitions.push_back(benchmark.repetitions ? *benchmark.repetitions : kind.repetitions(size));
  constexpr double tolerance = 0.01; // of collectives' means; what real ones vary by from run to run is more
  return {ranks,
          benchmark.sizes,
          std::move(repetitions),
          kind.changes_root && !benchmark.root ? ranks : 1,
          collective_of(benchmark.name) ? tolerance : 0,
          benchmark.warm_up};
}

Call call_of(Collective collective, Bytes size, int ranks) {
  switch (collective) {
  case Collective::gather:
  case Collective::gatherv:
  case Collective::scatter:
  case Collective::scatterv:
  case Collective::allgather:
  case Collective::allgatherv:
  case Collective::alltoall:
  case Collective::alltoallv: return {Blocks::equal(size, ranks)};
  case Collective::reduce_scatter: return {Blocks::even(size, ranks)};
  default: return {Blocks::whole(size)};
  }
}

Program run_benchmark(Communicator world, const Benchmark& benchmark, Iterations& iterations) {
  const auto& kind = kind_of(benchmark.name);
  const auto collective = collective_of(benchmark.name);
  const int rank = world.rank();
  for (std::size_t i = 0; i < benchmark.sizes.size(); ++i) {
    const auto size = benchmark.sizes[i];
    Call call = collective ? call_of(*collective, size, world.size()) : Call{};
    co_await barrier_dissemination(world, call);
    while (iterations.again(rank, i, world.now())) {
      if (kind.changes_root)
        call.root = (iterations.number(rank, i) + benchmark.warm_up * world.size()) % world.size();
      call.root = benchmark.root.value_or(call.root);
      if (collective)
        co_await perform(world, *collective, call);
      else
        co_await kind.iteration(world.self(), size, has_grid(benchmark.name) ? benchmark.columns : benchmark.window);
      if (kind.synchronises) {
        iterations.pause(rank, i, world.now());
        co_await barrier_dissemination(world, call);
      } else if (collective && iterations.number(rank, i) == -1) { // IMB calls MPI_Barrier before it measures
        co_await perform(world, Collective::barrier, {});
      }
    }
  }
}

} // namespace kakehashi
