#include "workload/benchmark/benchmark.hpp"

#include <algorithm>

namespace kakehashi {

namespace {

bool changes_root(const Benchmark& benchmark) {
  return kind_of(benchmark).changes_root && !benchmark.root;
}

} // namespace

int least_iterations(const Benchmark& benchmark, int ranks) {
  // Many ranks show a mean after few iterations; few ranks take little time. If the root changes, all nodes should be
  // root once, unless that is expensive; and effects between neighbours take time to reach the other ranks.
  return changes_root(benchmark)         ? std::clamp(8192 / ranks, 16, 128)
         : kind_of(benchmark).collective ? std::clamp(1024 / ranks, 1, 16)
                                         : 128;
}

Iterations iterations_of(const Benchmark& benchmark, int ranks, int root_cycle) {
  const auto& kind = kind_of(benchmark);
  std::vector<int> repetitions;
  for (const auto size : benchmark.sizes)
    repetitions.push_back(benchmark.repetitions ? *benchmark.repetitions : kind.repetitions(size));
  constexpr double tolerance = 0.01; // the tolerance of means; real measurements differ more from run to run
  return {ranks,
          benchmark.sizes,
          std::move(repetitions),
          changes_root(benchmark) ? ranks : 1,
          tolerance,
          benchmark.warm_up,
          least_iterations(benchmark, ranks),
          changes_root(benchmark) ? root_cycle : 1};
}

bool states_barrier(const Library& library) {
  return library.algorithms[static_cast<std::size_t>(Collective::barrier)].has_value();
}

Call call_of(Collective collective, Bytes size, int ranks) {
  const auto& row = row_of(collective);
  if (row.division == Division::none || row.division == Division::whole)
    return {Blocks::whole(size)};
  return {row.has_reduction ? Blocks::even(size, ranks) : Blocks::equal(size, ranks)};
}

AlgorithmRow algorithm_for(Collective collective, Bytes size, const Group& world, const Library& library) {
  const auto call = call_of(collective, size, world.size());
  return row_of(choose(library, collective, world, call.blocks));
}

std::string algorithm_text(Collective collective, Bytes size, const JobPlace& place) {
  const auto call = call_of(collective, size, place.world.size());
  return is_without_data(collective, call.blocks)
             ? "none"
             : to_text(choose(place.library, collective, place.world, call.blocks));
}

Program run_benchmark(Communicator world, const Benchmark& benchmark, Iterations& iterations) {
  const auto& kind = kind_of(benchmark);
  const auto collective = kind.collective;
  const int rank = world.rank();
  for (std::size_t i = 0; i < benchmark.sizes.size(); ++i) {
    const auto size = benchmark.sizes[i];
    Call call = collective ? call_of(*collective, size, world.size()) : Call{};
    // For a collective operation in which all ranks do the same, the barrier must do so too, so that ranks can stand
    // for each other.
    const auto traits = collective ? algorithm_for(*collective, size, world.group(), world.library()).traits
                                   : AlgorithmTraits{.shifts_by = 1};
    const auto synchronise = [&] {
      return traits.shifts_by == 0 || states_barrier(world.library()) ? perform(world, Collective::barrier, {})
             : traits.is_mirrored                                     ? barrier_both_ways(world, call)
                                                                      : barrier_dissemination(world, call);
    };
    co_await synchronise();
    while (iterations.again(rank, i, world.now(), world.self().asked)) {
      if (kind.changes_root)
        call.root = (iterations.number(rank, i) + benchmark.warm_up * world.size()) % world.size();
      call.root = benchmark.root.value_or(call.root);
      if (collective)
        co_await perform(world, *collective, call);
      else
        co_await kind.iteration(world.self(), size, kind.has_grid ? benchmark.columns : benchmark.window);
      if (kind.synchronises) {
        iterations.pause(rank, i, world.now());
        co_await synchronise();
      } else if (collective && iterations.number(rank, i) == -1) { // IMB calls MPI_Barrier before it measures
        co_await perform(world, Collective::barrier, {});
      }
    }
  }
}

} // namespace kakehashi
