// Benchmarks of NCCL and RCCL: the table of nccl-tests.
#include "model/gpu_candidate.hpp"
#include "workload/workload.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::uint64_t element = 4; // bytes of a float

struct GpuShared {
  Benchmark benchmark;
  SharedPlace place;
};

Program run_calls(Rank& rank, std::shared_ptr<const GpuShared> shared) {
  const auto& calls = shared->place->gpu.times;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const JointOperation call{i, shared->place->kinds.size(), calls[i].time};
    co_await rank.perform(call);
  }
}

// Bytes that nccl-tests calls for: whole elements, of each rank's block if there are blocks.
std::uint64_t called_bytes(GpuOperation operation, std::uint64_t size, std::uint64_t ranks) {
  const auto unit = element * (has_blocks(operation) ? ranks : 1);
  return size / unit * unit;
}

std::vector<Column> gpu_columns() {
  return {{"size", "B", "bytes of the call, of all blocks together"},
          {"count", "", "elements of a rank's block, or of the vector"},
          {"type", "", "of the elements"},
          {"redop", "", "the operation of a reduction"},
          {"root", "", "the root's rank; -1: the operation has none"},
          {"time_us", "us", "of a call"},
          {"algbw", "GB/s", "10^9 bytes of the size over the time"},
          {"busbw", "GB/s", "the same, times the operation's factor: what a link carries in the best case"},
          {"algorithm", "", "that the library takes"},
          {"protocol", "", "that the library takes"},
          {"channels", "", "that run at once"},
          {"start_us", "us", "part of the time: from the call to the first step"},
          {"hops_us", "us", "part of the time: steps without their bytes"},
          {"bytes_us", "us", "part of the time: what bytes take on the limiting link"},
          {"limit", "", "the link, or what else, that limits large calls"},
          {"tuner_us", "us", "the time that the library's own model expects; 0: it has none"}};
}

TableText gpu_form() {
  return {{},
          {{"size (B)", 0, 12, 0},
           {"count", 1, 12, 0},
           {"type", 2, 7, 0},
           {"redop", 3, 6, 0},
           {"root", 4, 5, 0},
           {"time (us)", 5, 11, 2},
           {"algbw", 6, 8, 2},
           {"busbw", 7, 8, 2},
           {"algorithm", 8, 13, 0, true, 2},
           {"protocol", 9, 8, 0, true}}};
}

std::string library_note(const JobPlace& place) {
  return fmt::format("{}; MPI's benchmarks, such as osu-allreduce, show MPI's own collectives on these GPUs",
                     place.gpu.library);
}

Table gpu_table_of(const GpuShared& shared) {
  const auto& benchmark = shared.benchmark;
  const auto operation = *kind_of(benchmark).gpu;
  const auto& place = *shared.place;
  const auto ranks = place.kinds.size();
  Table table;
  table.title = benchmark.name;
  table.totals = {
      {{"benchmark", "", "its name"}, benchmark.name},
      {{"link_busbw", "GB/s", "of a ring whose data had all of the links' rate"}, place.gpu.link_limit.value / 1e9}};
  table.columns = gpu_columns();
  table.text = gpu_form();
  table.text.notes.push_back(library_note(place));
  std::ranges::copy(place.gpu.notes, std::back_inserter(table.text.notes));
  table.size_name = "bytes";
  const auto root = is_rooted(operation) ? std::to_string(benchmark.root.value_or(0)) : "-1";
  double sum = 0;
  for (std::size_t i = 0; i < place.gpu.times.size(); ++i) {
    const auto& call = place.gpu.times[i];
    const auto size = called_bytes(operation, benchmark.sizes[i].count, ranks);
    const double algorithm_rate = static_cast<double>(size) / call.time.value / 1e9;
    const double bus_rate = bus_factor(operation, static_cast<double>(ranks)) * algorithm_rate;
    sum += bus_rate;
    const auto count = size / element / (has_blocks(operation) ? ranks : 1);
    table.rows.push_back(
        {size, std::uint64_t{count}, std::string("float"), std::string(has_sum(operation) ? "sum" : "none"), root,
         in_microseconds(call.time), algorithm_rate, bus_rate,
         std::string(call.algorithm ? name_of(gpu_algorithm_names, *call.algorithm) : "send/recv"),
         std::string(name_of(gpu_protocol_names, call.protocol)), static_cast<std::uint64_t>(call.channels),
         in_microseconds(call.start), in_microseconds(call.hops), in_microseconds(call.bytes), call.limit,
         in_microseconds(call.tuner.value_or(Seconds{}))});
    Figures figures;
    figures.size = size;
    figures.t_min = figures.t_max = figures.t_avg = figures.cost = call.time;
    table.figures.push_back(figures);
  }
  if (!table.rows.empty())
    table.text.remarks.push_back(
        fmt::format("Avg bus bandwidth: {:.4f}", sum / static_cast<double>(table.rows.size())));
  return table;
}

} // namespace

Job gpu_job_of(const Benchmark& benchmark, SharedPlace place) {
  const auto shared = std::make_shared<const GpuShared>(GpuShared{benchmark, std::move(place)});
  Job job;
  job.program = [shared](Rank& rank) { return run_calls(rank, shared); };
  job.table = [shared](const JobEnd&) { return gpu_table_of(*shared); };
  return job;
}

} // namespace kakehashi
