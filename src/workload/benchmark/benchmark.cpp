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

constexpr std::array kinds{
    BenchmarkKind{BenchmarkName::imb_pingpong, ping_pong, imb_repetitions, 0.5, 1, false, true},
    BenchmarkKind{BenchmarkName::imb_sendrecv, neighbour_sendrecv, imb_repetitions, 1, 2, false, false},
    BenchmarkKind{BenchmarkName::imb_exchange, neighbour_exchange, imb_repetitions, 1, 4, false, false},
    BenchmarkKind{BenchmarkName::osu_latency, ping_pong, osu_latency_repetitions, 0.5, 1, false, true},
    BenchmarkKind{BenchmarkName::osu_bw, window_one_way, osu_bandwidth_repetitions, 1, 1, true, true},
    BenchmarkKind{BenchmarkName::osu_bibw, window_both_ways, osu_bandwidth_repetitions, 1, 2, true, true},
};

} // namespace

const BenchmarkKind& kind_of(BenchmarkName name) {
  return kinds[static_cast<std::size_t>(name)];
}

Iterations iterations_of(const Benchmark& benchmark, int ranks) {
  std::vector<int> repetitions;
  for (const auto size : benchmark.sizes)
    repetitions.push_back(benchmark.repetitions ? *benchmark.repetitions : kind_of(benchmark.name).repetitions(size));
  return {ranks, benchmark.sizes, std::move(repetitions)};
}

Program run_benchmark(Rank& rank, const Benchmark& benchmark, Iterations& iterations) {
  const auto iteration = kind_of(benchmark.name).iteration;
  for (std::size_t i = 0; i < benchmark.sizes.size(); ++i) {
    co_await barrier(rank);
    while (iterations.again(rank.id, i, rank.clock))
      co_await iteration(rank, benchmark.sizes[i], benchmark.window);
  }
}

} // namespace kakehashi
