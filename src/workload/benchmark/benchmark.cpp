#include "workload/benchmark/benchmark.hpp"

namespace kakehashi {

Iterations iterations_of(const Benchmark& benchmark, int ranks) {
  const auto& kind = kind_of(benchmark);
  std::vector<int> repetitions;
  for (const auto size : benchmark.sizes)
    repetitions.push_back(benchmark.repetitions ? *benchmark.repetitions : kind.repetitions(size));
  constexpr double tolerance = 0.01; // of collectives' means; what real ones vary by from run to run is more
  return {ranks,
          benchmark.sizes,
          std::move(repetitions),
          kind.changes_root && !benchmark.root ? ranks : 1,
          kind.collective ? tolerance : 0,
          benchmark.warm_up};
}

Call call_of(Collective collective, Bytes size, int ranks) {
  const auto& row = row_of(collective);
  if (row.division == Division::none || row.division == Division::whole)
    return {Blocks::whole(size)};
  return {row.has_reduction ? Blocks::even(size, ranks) : Blocks::equal(size, ranks)};
}

Program run_benchmark(Communicator world, const Benchmark& benchmark, Iterations& iterations) {
  const auto& kind = kind_of(benchmark);
  const auto collective = kind.collective;
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
        co_await kind.iteration(world.self(), size, kind.has_grid ? benchmark.columns : benchmark.window);
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
