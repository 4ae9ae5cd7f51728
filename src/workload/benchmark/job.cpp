// A benchmark as a job: its table has a row for each size, as its suite prints it.
#include "workload/benchmark/benchmark.hpp"
#include "workload/benchmark/form.hpp"
#include "workload/collective/libraries.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace kakehashi {
namespace {

// State that all ranks of a run share.
struct Shared {
  Benchmark benchmark;
  SharedPlace place;
  Iterations iterations;
  std::vector<SizeTiming> taken = {}; // results of jobs with single rows

  std::vector<SizeTiming> timings() const { return taken.empty() ? iterations.timings() : taken; }
};

// Returns the step of a ring of which both ends take longest.
RankPair slowest_pair(std::span<const Seconds> times, bool closed) {
  const auto steps = closed ? times.size() : times.size() - 1;
  const auto time_of = [&](std::size_t step) { return std::min(times[step], times[(step + 1) % times.size()]); };
  std::size_t slowest = 0;
  for (std::size_t step = 1; step < steps; ++step)
    if (time_of(step) > time_of(slowest))
      slowest = step;
  return {static_cast<int>(slowest), static_cast<int>((slowest + 1) % times.size())};
}

Figures figures_of(const SizeTiming& timing, const Benchmark& benchmark, const BenchmarkKind& kind) {
  Figures figures;
  figures.size = timing.size.count;
  figures.repetitions = static_cast<std::uint64_t>(timing.repetitions);
  const auto& times = timing.average;
  const auto printed = kind.first_rank_only ? std::span(times).first(1) : std::span(times);
  figures.t_min = kind.time_share * *std::min_element(printed.begin(), printed.end());
  figures.t_max = kind.time_share * *std::max_element(printed.begin(), printed.end());
  for (const auto time : printed)
    figures.t_avg += (kind.time_share / static_cast<double>(printed.size())) * time;
  const double payload = static_cast<double>(timing.size.count) * kind.payloads(benchmark.window);
  figures.rate = figures.t_max.value > 0 ? payload / figures.t_max.value / 1e6 : 0;
  figures.cost = figures.t_max;
  if (kind.is_ring)
    figures.slowest_step = slowest_pair(times, kind.is_closed);
  return figures;
}

// "binomial, ring from 2 KiB on"
std::string algorithms_text(Collective collective, const Shared& shared) {
  std::string text;
  std::string before;
  for (const auto size : shared.benchmark.sizes) {
    const auto name = algorithm_text(collective, size, *shared.place);
    if (text.empty())
      text = name;
    else if (name != before)
      text += fmt::format(", {} from {} on", name, to_text(size));
    before = name;
  }
  return text;
}

// Adds notes on the assumed parts of the decision tables in use, and on the user's rules that are not followed.
void add_library_notes(Collective collective, const Library& library, std::vector<std::string>& notes) {
  const auto& tables = library_of(library.selector);
  if (!tables.assumed.empty() && !library.algorithms[static_cast<std::size_t>(collective)])
    notes.push_back(
        fmt::format("assumed of {}: {}", selector_names[static_cast<std::size_t>(library.selector)], tables.assumed));
  if (library.rules)
    for (const auto& rule : library.rules->left_out)
      if (rule.collective == collective)
        notes.push_back(fmt::format("{}: {}; its own table decides there", library.rules->file, rule.what));
}

// Returns "iterations differ; 96 of 2000 are simulated, and give the mean to 0.1 %, but for: 2 KiB 0.9 % (24 are)";
// empty if iterations do not differ.
std::string spread_text(const std::vector<SizeTiming>& timings) {
  constexpr double small = 1e-3;
  std::string others;
  int simulated = 0;
  int all = 0;
  for (const auto& timing : timings) {
    simulated += timing.simulated;
    all += timing.repetitions;
    if (timing.error > small)
      others += fmt::format("{} {} {:.1f} % ({} are)", others.empty() ? ", but for:" : ",", to_text(timing.size),
                            100 * timing.error, timing.simulated);
  }
  if (std::ranges::all_of(timings, [](const SizeTiming& timing) { return timing.error == 0; }))
    return "";
  return fmt::format("iterations differ; {} of {} are simulated, and give the mean to {} %{}", simulated, all,
                     100 * small, others);
}

// Returns "the clock's step is 0.119 us so late in the run, too much for the times of 8 B"; empty if it is small
// enough.
std::string clock_text(const std::vector<SizeTiming>& timings) {
  constexpr double enough = 1e-3;
  constexpr Seconds tick{1e-11}; // smaller steps are not reported
  for (const auto& timing : timings)
    if (timing.clock_step > std::max(tick, enough * std::ranges::min(timing.average)))
      return fmt::format("the clock's step is {:.3g} us so late in the run, too much for the times of {}",
                         in_microseconds(timing.clock_step), to_text(timing.size));
  return "";
}

std::vector<Column> columns_of(const BenchmarkKind& kind) {
  std::vector<Column> columns{{"bytes", "B", "size of a message, or of a rank's block or vector"},
                              {"repetitions", "", "as the benchmark counts them"},
                              {"t_min_us", "us", "the least time of an iteration over the ranks"},
                              {"t_max_us", "us", "the greatest"},
                              {"t_avg_us", "us", "the mean"}};
  if (kind.collective)
    columns.push_back({"algorithm", "", "that the MPI library takes for this size"});
  else
    columns.push_back({"mbytes_per_s", "MB/s", "10^6 bytes of the counted messages over the greatest time"});
  if (kind.is_ring)
    columns.push_back({"slowest_step", "", "the two ranks of the step that takes longest"});
  return columns;
}

// Scales bandwidths to the suite's own MB.
void show_in_megabytes_of(double bytes, Table& table) {
  for (auto& shown : table.text.cells)
    if (table.columns[shown.column].unit == "MB/s")
      shown.unit = bytes / 1e6;
  table.text.notes.push_back(fmt::format("MB are of {:.0f} B", bytes));
}

// GPUs have a library of their own, whose times are others.
void add_nccl_note(Collective collective, const JobPlace& place, Table& table) {
  using enum Collective;
  constexpr std::array<std::pair<Collective, std::string_view>, 6> known{{{allreduce, "nccl-allreduce"},
                                                                          {allgather, "nccl-allgather"},
                                                                          {reduce_scatter, "nccl-reducescatter"},
                                                                          {bcast, "nccl-broadcast"},
                                                                          {reduce, "nccl-reduce"},
                                                                          {alltoall, "nccl-alltoall"}}};
  const auto row = std::ranges::find(known, collective, &std::pair<Collective, std::string_view>::first);
  if (row != known.end() && std::ranges::all_of(place.kinds, [](DeviceKind kind) { return kind == DeviceKind::gpu; }))
    table.text.notes.push_back(fmt::format("this is MPI's; {} shows that of NCCL or RCCL", row->second));
}

Table table_of(const Shared& shared) {
  const auto& benchmark = shared.benchmark;
  const auto& kind = kind_of(benchmark);
  Table table;
  table.title = benchmark.name;
  table.totals = {{{"benchmark", "", "its name"}, benchmark.name}};
  table.columns = columns_of(kind);
  table.size_name = size_name(benchmark);
  table.rate_name = rate_name(benchmark);
  table.rate_unit = {benchmark.megabyte};
  const auto timings = shared.timings();
  for (const auto& timing : timings) {
    const auto& figures = table.figures.emplace_back(figures_of(timing, benchmark, kind));
    auto& row =
        table.rows.emplace_back(std::vector<Cell>{figures.size, figures.repetitions, in_microseconds(figures.t_min),
                                                  in_microseconds(figures.t_max), in_microseconds(figures.t_avg)});
    if (kind.collective)
      row.emplace_back(algorithm_text(*kind.collective, timing.size, *shared.place));
    else
      row.emplace_back(figures.rate);
    if (figures.slowest_step)
      row.emplace_back(*figures.slowest_step);
  }
  table.text = kind.form(kind.has_sizes());
  if (!table.rate_name.empty() && benchmark.megabyte != 1e6)
    show_in_megabytes_of(benchmark.megabyte, table);
  if (kind.collective) {
    table.text.notes.push_back("algorithm: " + algorithms_text(*kind.collective, shared));
    add_library_notes(*kind.collective, shared.place->library, table.text.notes);
    if (has_reduction(*kind.collective))
      add_gpu_note(*shared.place, table);
    add_nccl_note(*kind.collective, *shared.place, table);
  }
  for (auto text : {spread_text(timings), clock_text(timings)})
    if (!text.empty())
      table.text.remarks.push_back(std::move(text));
  return table;
}

// Otherwise the benchmark has no barriers, or uses its own.
bool passes_library_barrier(const BenchmarkKind& kind, const Benchmark& benchmark, const Library& library) {
  return (!kind.synchronises && benchmark.warm_up > 0) || states_barrier(library);
}

// Returns by what the ranks do the same, if each rank sends to all others; this saves most time there. The benchmark's
// barriers must also allow it.
AlikeRanks alike_ranks(const Benchmark& benchmark, const JobPlace& place) {
  const auto& kind = kind_of(benchmark);
  using enum Collective;
  if (!kind.collective || (*kind.collective != alltoall && *kind.collective != alltoallv &&
                           *kind.collective != allgather && *kind.collective != allgatherv))
    return {};
  AlikeRanks alike;
  alike.shifts_by = 1;
  alike.is_mirrored = place.world.size() % 2 == 0;
  const auto note = [&](Collective collective, Bytes size) {
    const auto row = algorithm_for(collective, size, place.world, place.library);
    alike.shifts_by = std::lcm(alike.shifts_by, row.traits.shifts_by);
    alike.is_mirrored = alike.is_mirrored && row.traits.is_mirrored;
  };
  if (passes_library_barrier(kind, benchmark, place.library))
    note(barrier, {});
  for (const auto size : benchmark.sizes)
    note(*kind.collective, size);
  return alike;
}

// The operation without a list of blocks.
Collective plain_form(Collective collective) {
  return collective == Collective::alltoallv    ? Collective::alltoall
         : collective == Collective::allgatherv ? Collective::allgather
                                                : collective;
}

// The algorithm that the ranks run.
std::pair<AlgorithmRow, AlgorithmChoice> program_of(Collective collective, Bytes size, const JobPlace& place) {
  auto choice = choose(place.library, collective, place.world, call_of(collective, size, place.world.size()).blocks);
  // An algorithm's number is only valid for its collective.
  const auto row = row_of(choice);
  choice.algorithm = 0;
  return {row, std::move(choice)};
}

auto what_is_printed(const BenchmarkKind& kind) {
  return std::tie(kind.repetitions, kind.form, kind.time_share, kind.payloads_per_iteration, kind.first_rank_only,
                  kind.changes_root, kind.synchronises, kind.overlaps);
}

// Returns the distance between ranks at the same place of their nodes and of their devices; the number of all ranks if
// there is no smaller one.
int root_cycle(const JobPlace& place) {
  std::map<int, std::vector<std::string>> seen; // devices of each node's ranks so far
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t rank = 0; rank < place.nodes.size(); ++rank) {
    auto& devices = seen[place.nodes[rank]];
    devices.push_back(place.devices[rank]);
    const auto first = std::ranges::find(devices, devices.back());
    places.emplace_back(devices.size(), first - devices.begin());
  }
  std::size_t cycle = 1;
  while (cycle < places.size() && !std::equal(places.begin() + static_cast<std::ptrdiff_t>(cycle), places.end(),
                                              places.begin(), places.end() - static_cast<std::ptrdiff_t>(cycle)))
    ++cycle;
  return static_cast<int>(cycle);
}

// The job of the first `ranks` ranks, which may stand for all.
Job job_of(const Benchmark& benchmark, SharedPlace place, int ranks) {
  const auto& kind = kind_of(benchmark);
  auto iterations = iterations_of(benchmark, ranks, kind.changes_root ? root_cycle(*place) : 1);
  const auto shared = std::make_shared<Shared>(Shared{benchmark, std::move(place), std::move(iterations)});
  Job job;
  job.program = [shared](Rank& rank) {
    const Communicator world(rank, shared->place->world, rank.id, shared->place->library);
    return run_benchmark(world, shared->benchmark, shared->iterations);
  };
  job.table = [shared](const JobEnd&) { return table_of(*shared); };
  job.rows = RowsInTurn{[shared] {
                          const auto& all = shared->iterations;
                          return JobProgress{all.ended(), all.sizes(), all.done(), all.least()};
                        },
                        [shared] { return table_of(*shared); }};
  job.apart = RowsApart{[shared, ranks](std::size_t row) {
                          auto one = shared->benchmark;
                          one.sizes = {one.sizes[row]};
                          return job_of(one, shared->place, ranks);
                        },
                        [shared] { return shared->iterations.timings().front(); },
                        [shared](SizeTiming timing) { shared->taken.push_back(std::move(timing)); }};
  job.in_node = in_node_of(shared->place->library);
  job.adds_vectors = kind.collective && has_reduction(*kind.collective);
  job.copies_blocks = kind.collective && kind.has_sizes();
  job.has_one_call_at_a_time = true;
  job.alike = alike_ranks(shared->benchmark, *shared->place);
  job.alike->first = [shared](int first) { return job_of(shared->benchmark, shared->place, first); };
  if (kind.collective)
    job.alike->sample = [shared] {
      auto one = shared->benchmark;
      one.repetitions = 1;
      return job_of(one, shared->place);
    };
  return job;
}

} // namespace

bool is_same_work(const Benchmark& one, const JobPlace& place, const Benchmark& other, const JobPlace& other_place) {
  const auto& kind = kind_of(one);
  const auto& other_kind = kind_of(other);
  const auto settings = [](const Benchmark& benchmark) {
    return std::tie(benchmark.sizes, benchmark.repetitions, benchmark.warm_up, benchmark.root);
  };
  if (!kind.collective || !other_kind.collective ||
      plain_form(*kind.collective) != plain_form(*other_kind.collective) ||
      what_is_printed(kind) != what_is_printed(other_kind) || settings(one) != settings(other))
    return false;
  const auto times = [](const Library& library) {
    return std::tie(library.reduction, library.reduction_start, library.copy, library.copy_start,
                    library.gpu_reductions, library.gpu_copy_start);
  };
  if (times(place.library) != times(other_place.library))
    return false;
  const auto run_the_same = [&](Collective collective, Collective other_collective, Bytes size) {
    const auto [row, choice] = program_of(collective, size, place);
    const auto [other_row, other_choice] = program_of(other_collective, size, other_place);
    const bool is_alone = row.traits.shifts_by > 0; // else it may use other collectives of the library
    return row.run == other_row.run && choice == other_choice && (is_alone || place.library == other_place.library);
  };
  const bool has_barrier = passes_library_barrier(kind, one, place.library) ||
                           passes_library_barrier(other_kind, other, other_place.library);
  return (!has_barrier || run_the_same(Collective::barrier, Collective::barrier, {})) &&
         std::ranges::all_of(one.sizes, [&](Bytes size) {
           return size.count > 0 && run_the_same(*kind.collective, *other_kind.collective, size);
         });
}

Job job_of(const Benchmark& benchmark, SharedPlace place) {
  if (kind_of(benchmark).gpu)
    return gpu_job_of(benchmark, std::move(place));
  if (kind_of(benchmark).overlaps)
    return overlap_job(benchmark, std::move(place));
  const auto ranks = place->world.size();
  return job_of(benchmark, std::move(place), ranks);
}

} // namespace kakehashi
