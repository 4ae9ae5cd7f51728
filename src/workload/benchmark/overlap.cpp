// OSU's benchmarks of nonblocking collective operations: how much of a call happens while its rank works.
//
// As OSU does, it measures each size twice: calls alone, whose mean time is that of pure communication, and then calls
// during which each rank works as long as its own calls alone took.
#include "workload/benchmark/benchmark.hpp"
#include "workload/side_programs.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <numeric>

namespace kakehashi {
namespace {

// State that all ranks of a run share. The iterations have two rows for each size.
struct OverlapRun {
  Benchmark benchmark;
  SharedPlace place;
  Iterations iterations;

  Collective collective() const { return *kind_of(benchmark).collective; }
};

Program run_call(Rank& side, const JobPlace& place, Collective collective, Call call) {
  co_await perform(Communicator(side, place.world, side.id, place.library), collective, std::move(call));
}

Program run_beside_work(Rank& rank, OverlapRun& shared) {
  const auto& place = *shared.place;
  const Communicator world(rank, place.world, rank.id, place.library);
  const auto collective = shared.collective();
  auto& iterations = shared.iterations;
  SidePrograms sides(rank, place.library.progress);
  for (std::size_t row = 0; row < iterations.sizes(); ++row) {
    auto call = call_of(collective, shared.benchmark.sizes[row / 2], world.size());
    call.root = shared.benchmark.root.value_or(0);
    co_await perform(world, Collective::barrier, {});
    const auto work = row % 2 == 1 ? iterations.mean(rank.id, row - 1) : Seconds{};
    while (iterations.again(rank.id, row, world.now(), rank.asked)) {
      co_await sides.start(0, [&](Rank& side) { return run_call(side, place, collective, call); });
      if (work.value > 0) {
        Request none;
        co_await sides.perform(ComputeOperation{work}, none);
      }
      co_await sides.finish(0);
      iterations.pause(rank.id, row, world.now());
      co_await perform(world, Collective::barrier, {});
    }
  }
}

Seconds mean_over(const std::vector<Seconds>& times) {
  return (1.0 / static_cast<double>(times.size())) * std::accumulate(times.begin(), times.end(), Seconds{});
}

// The figures are those of pure communication.
Figures pure_figures(const SizeTiming& pure) {
  Figures figures;
  figures.size = pure.size.count;
  figures.repetitions = static_cast<std::uint64_t>(pure.repetitions);
  figures.t_min = *std::ranges::min_element(pure.average);
  figures.t_max = *std::ranges::max_element(pure.average);
  figures.t_avg = mean_over(pure.average);
  figures.cost = figures.t_max;
  return figures;
}

// OSU: the part of the communication that the call does not add to the work, but at least none.
double overlap_of(Seconds overall, Seconds work, Seconds pure) {
  return pure.value > 0 ? std::max(0.0, 100 - 100 * ((overall - work) / pure)) : 0;
}

TableText overlap_form(bool has_size) {
  enum : std::size_t { bytes, repetitions, t_min, t_max, pure, overall, compute, overlap };
  TableText text{{},
                 {{"Size", bytes, 10, 0, true},
                  {"Overall(us)", overall, 17},
                  {"Compute(us)", compute, 17},
                  {"Pure Comm.(us)", pure, 17},
                  {"Overlap(%)", overlap, 17}}};
  if (!has_size)
    text.cells.erase(text.cells.begin());
  return text;
}

Table overlap_table(const OverlapRun& shared) {
  const auto& kind = kind_of(shared.benchmark);
  Table table;
  table.title = shared.benchmark.name;
  table.totals = {{{"benchmark", "", "its name"}, shared.benchmark.name}};
  table.columns = {{"bytes", "B", "size of a message, or of a rank's block or vector"},
                   {"repetitions", "", "as the benchmark counts them"},
                   {"t_min_us", "us", "the least time over the ranks of a call without work"},
                   {"t_max_us", "us", "the greatest"},
                   {"t_avg_us", "us", "the mean: pure communication"},
                   {"overall_us", "us", "the mean time of a call, the work during it, and the wait for its end"},
                   {"compute_us", "us", "the mean time of that work"},
                   {"overlap_percent", "%", "the part of pure communication that the call does not add to the work"},
                   {"algorithm", "", "that the MPI library takes for this size"}};
  table.size_name = size_name(shared.benchmark);
  const auto timings = shared.iterations.timings();
  for (std::size_t row = 0; row + 1 < timings.size(); row += 2) {
    const auto& figures = table.figures.emplace_back(pure_figures(timings[row]));
    const auto overall = mean_over(timings[row + 1].average);
    table.rows.push_back({figures.size, figures.repetitions, in_microseconds(figures.t_min),
                          in_microseconds(figures.t_max), in_microseconds(figures.t_avg), in_microseconds(overall),
                          in_microseconds(figures.t_avg), overlap_of(overall, figures.t_avg, figures.t_avg),
                          algorithm_text(shared.collective(), timings[row].size, *shared.place)});
  }
  table.text = overlap_form(kind.has_sizes());
  table.text.notes.push_back("Overall = Coll. Init + Compute + MPI_Test + MPI_Wait");
  return table;
}

} // namespace

Job overlap_job(const Benchmark& benchmark, SharedPlace place) {
  auto twice = benchmark;
  twice.sizes.clear();
  for (const auto size : benchmark.sizes)
    twice.sizes.insert(twice.sizes.end(), 2, size);
  auto iterations = iterations_of(twice, place->world.size(), 1);
  const auto shared = std::make_shared<OverlapRun>(OverlapRun{benchmark, std::move(place), std::move(iterations)});
  Job job;
  job.program = [shared](Rank& rank) { return run_beside_work(rank, *shared); };
  job.table = [shared](const JobEnd& end) {
    auto table = overlap_table(*shared);
    add_progress_note(shared->place->library, end.requests_at_work, 1, table);
    return table;
  };
  job.rows = RowsInTurn{[shared] {
                          const auto& all = shared->iterations;
                          return JobProgress{all.ended() / 2, all.sizes() / 2, all.done(), all.least()};
                        },
                        [shared] { return overlap_table(*shared); }};
  job.adds_vectors = has_reduction(shared->collective());
  job.copies_blocks = kind_of(benchmark).has_sizes();
  return job;
}

} // namespace kakehashi
