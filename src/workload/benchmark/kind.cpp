#include "workload/benchmark/kind.hpp"

#include "workload/benchmark/form.hpp"
#include "workload/program.hpp"

#include <algorithm>
#include <cassert>

namespace kakehashi {

// The iterations, one file each.
Program ping_pong(Rank& rank, Bytes size, int window);
Program neighbour_sendrecv(Rank& rank, Bytes size, int window);
Program neighbour_exchange(Rank& rank, Bytes size, int window);
Program window_one_way(Rank& rank, Bytes size, int window);
Program window_both_ways(Rank& rank, Bytes size, int window);
Program put_once(Rank& rank, Bytes size, int window);
Program get_once(Rank& rank, Bytes size, int window);
Program ring_step(Rank& rank, Bytes size, int window);
Program open_ring_step(Rank& rank, Bytes size, int window);
Program halo_step(Rank& rank, Bytes size, int columns);
std::vector<Edge> closed_edges(std::size_t ranks, std::size_t columns);
std::vector<Edge> open_edges(std::size_t ranks, std::size_t columns);
std::vector<Edge> exchange_edges(std::size_t ranks, std::size_t columns);
std::vector<Edge> halo_edges(std::size_t ranks, std::size_t columns);

namespace {

// IMB: 1000 repetitions, but no more than 40 MiB in all.
int imb_repetitions(Bytes size) {
  constexpr std::uint64_t overall = 40 << 20;
  return static_cast<int>(std::clamp<std::uint64_t>(overall / std::max<std::uint64_t>(1, size.count), 1, 1000));
}
// OSU 3.x: fewer repetitions above 8 KiB.
int osu_latency_repetitions(Bytes size) {
  return size.count > 8192 ? 100 : 10000;
}
int osu_bandwidth_repetitions(Bytes size) {
  return size.count > 8192 ? 20 : 100;
}
int osu_collective_repetitions(Bytes size) {
  return size.count > 8192 ? 100 : 1000;
}

// IMB 3 and 4 measure all their repetitions in a row. In rooted operations the root changes.
constexpr BenchmarkKind imb(std::string_view name, Collective collective, std::string_view purpose) {
  BenchmarkKind kind{.name = name, .purpose = purpose};
  kind.collective = collective;
  kind.repetitions = imb_repetitions;
  kind.form = imb_collective_form;
  kind.changes_root = has_root(collective);
  kind.begins_at_zero = true;
  return kind;
}
// OSU measures each repetition separately, with barriers between them. The root is rank 0.
constexpr BenchmarkKind osu(std::string_view name, Collective collective, std::string_view purpose) {
  BenchmarkKind kind{.name = name, .purpose = purpose};
  kind.collective = collective;
  kind.repetitions = osu_collective_repetitions;
  kind.form = osu_collective_form;
  kind.synchronises = true;
  return kind;
}

// nccl-tests and rccl-tests call the operation back to back and print the mean.
constexpr BenchmarkKind gpu(std::string_view name, GpuOperation operation, std::string_view purpose) {
  BenchmarkKind kind{.name = name, .purpose = purpose};
  kind.gpu = operation;
  return kind;
}

// The same without blocking, alone and beside work.
constexpr BenchmarkKind osu_beside_work(std::string_view name, Collective collective, std::string_view purpose) {
  auto kind = osu(name, collective, purpose);
  kind.overlaps = true;
  return kind;
}

constexpr std::array kinds{
    BenchmarkKind{.name = "imb-pingpong",
                  .purpose = "one message there and back; half of the time",
                  .iteration = ping_pong,
                  .repetitions = imb_repetitions,
                  .form = imb_pingpong_form,
                  .time_share = 0.5,
                  .payloads_per_iteration = 1,
                  .first_rank_only = true,
                  .is_for_two_ranks = true,
                  .begins_at_zero = true,
                  .test = TestForm::one_way},
    BenchmarkKind{.name = "imb-sendrecv",
                  .purpose = "each rank sends to the next and receives from the one before",
                  .iteration = neighbour_sendrecv,
                  .repetitions = imb_repetitions,
                  .form = imb_parallel_form,
                  .payloads_per_iteration = 2,
                  .begins_at_zero = true,
                  .is_turnable = true,
                  .test = TestForm::sendrecv,
                  .edges = closed_edges},
    BenchmarkKind{.name = "imb-exchange",
                  .purpose = "each rank exchanges messages with both neighbours",
                  .iteration = neighbour_exchange,
                  .repetitions = imb_repetitions,
                  .form = imb_parallel_form,
                  .payloads_per_iteration = 4,
                  .begins_at_zero = true,
                  .is_turnable = true,
                  .test = TestForm::exchange,
                  .edges = exchange_edges},
    BenchmarkKind{.name = "osu-latency",
                  .purpose = "one message there and back; half of the time",
                  .iteration = ping_pong,
                  .repetitions = osu_latency_repetitions,
                  .form = osu_latency_form,
                  .time_share = 0.5,
                  .payloads_per_iteration = 1,
                  .first_rank_only = true,
                  .is_for_two_ranks = true,
                  .begins_at_zero = true,
                  .test = TestForm::one_way},
    BenchmarkKind{.name = "osu-bw",
                  .purpose = "a window of messages in flight, then an answer",
                  .iteration = window_one_way,
                  .repetitions = osu_bandwidth_repetitions,
                  .form = osu_bw_form,
                  .payloads_per_iteration = 1,
                  .first_rank_only = true,
                  .is_for_two_ranks = true,
                  .has_window = true,
                  .metric = Metric::bandwidth,
                  .test = TestForm::window},
    BenchmarkKind{.name = "osu-bibw",
                  .purpose = "a window of messages in flight in both directions",
                  .iteration = window_both_ways,
                  .repetitions = osu_bandwidth_repetitions,
                  .form = osu_bibw_form,
                  .payloads_per_iteration = 2,
                  .first_rank_only = true,
                  .is_for_two_ranks = true,
                  .has_window = true,
                  .metric = Metric::bandwidth,
                  .test = TestForm::window_both_ways},
    imb("imb-bcast", Collective::bcast, "the root's vector to all ranks"),
    imb("imb-reduce", Collective::reduce, "the sum of all ranks' vectors to the root"),
    imb("imb-allreduce", Collective::allreduce, "the sum of all ranks' vectors to all"),
    imb("imb-reduce-scatter", Collective::reduce_scatter, "the sum of all ranks' vectors, a part to each rank"),
    imb("imb-allgather", Collective::allgather, "each rank's block to all ranks"),
    imb("imb-allgatherv", Collective::allgatherv, "each rank's block to all ranks, by the v-form"),
    imb("imb-gather", Collective::gather, "each rank's block to the root"),
    imb("imb-gatherv", Collective::gatherv, "each rank's block to the root, by the v-form"),
    imb("imb-scatter", Collective::scatter, "a block of the root to each rank"),
    imb("imb-scatterv", Collective::scatterv, "a block of the root to each rank, by the v-form"),
    imb("imb-alltoall", Collective::alltoall, "a block from each rank to each other"),
    imb("imb-alltoallv", Collective::alltoallv, "a block from each rank to each other, by the v-form"),
    imb("imb-barrier", Collective::barrier, "all ranks wait for each other"),
    imb("imb-scan", Collective::scan, "the sum of the vectors of all ranks before, to each rank"),
    osu("osu-bcast", Collective::bcast, "the root's vector to all ranks"),
    osu("osu-reduce", Collective::reduce, "the sum of all ranks' vectors to the root"),
    osu("osu-allreduce", Collective::allreduce, "the sum of all ranks' vectors to all"),
    osu("osu-reduce-scatter", Collective::reduce_scatter, "the sum of all ranks' vectors, a part to each rank"),
    osu("osu-allgather", Collective::allgather, "each rank's block to all ranks"),
    osu("osu-allgatherv", Collective::allgatherv, "each rank's block to all ranks, by the v-form"),
    osu("osu-gather", Collective::gather, "each rank's block to the root"),
    osu("osu-gatherv", Collective::gatherv, "each rank's block to the root, by the v-form"),
    osu("osu-scatter", Collective::scatter, "a block of the root to each rank"),
    osu("osu-scatterv", Collective::scatterv, "a block of the root to each rank, by the v-form"),
    osu("osu-alltoall", Collective::alltoall, "a block from each rank to each other"),
    osu("osu-alltoallv", Collective::alltoallv, "a block from each rank to each other, by the v-form"),
    osu("osu-barrier", Collective::barrier, "all ranks wait for each other"),
    osu_beside_work("osu-iallgather", Collective::allgather, "each rank's block to all ranks, beside work"),
    osu_beside_work("osu-iallreduce", Collective::allreduce, "the sum of all ranks' vectors to all, beside work"),
    osu_beside_work("osu-ialltoall", Collective::alltoall, "a block from each rank to each other, beside work"),
    osu_beside_work("osu-ibarrier", Collective::barrier, "all ranks wait for each other, beside work"),
    osu_beside_work("osu-ibcast", Collective::bcast, "the root's vector to all ranks, beside work"),
    osu_beside_work("osu-igather", Collective::gather, "each rank's block to the root, beside work"),
    osu_beside_work("osu-ireduce", Collective::reduce, "the sum of all ranks' vectors to the root, beside work"),
    osu_beside_work("osu-iscatter", Collective::scatter, "a block of the root to each rank, beside work"),
    BenchmarkKind{.name = "osu-put-latency",
                  .purpose = "rank 0 writes rank 1's memory",
                  .iteration = put_once,
                  .repetitions = osu_latency_repetitions,
                  .form = osu_remote_form,
                  .payloads_per_iteration = 1,
                  .first_rank_only = true,
                  .synchronises = true,
                  .is_for_two_ranks = true},
    BenchmarkKind{.name = "osu-get-latency",
                  .purpose = "rank 0 reads rank 1's memory",
                  .iteration = get_once,
                  .repetitions = osu_latency_repetitions,
                  .form = osu_remote_form,
                  .payloads_per_iteration = 1,
                  .first_rank_only = true,
                  .synchronises = true,
                  .is_for_two_ranks = true},
    BenchmarkKind{.name = "ring",
                  .purpose = "each rank sends to the next one, the last one to the first",
                  .iteration = ring_step,
                  .repetitions = imb_repetitions,
                  .form = ring_form,
                  .payloads_per_iteration = 1,
                  .synchronises = true,
                  .is_ring = true,
                  .is_turnable = true,
                  .edges = closed_edges},
    BenchmarkKind{.name = "open-ring",
                  .purpose = "each rank sends to the next one, the last one to nobody",
                  .iteration = open_ring_step,
                  .repetitions = imb_repetitions,
                  .form = ring_form,
                  .payloads_per_iteration = 1,
                  .synchronises = true,
                  .is_ring = true,
                  .is_closed = false,
                  .edges = open_edges},
    BenchmarkKind{.name = "halo-2d",
                  .purpose = "each rank exchanges borders with its neighbours on a grid",
                  .iteration = halo_step,
                  .repetitions = imb_repetitions,
                  .form = osu_collective_form,
                  .payloads_per_iteration = 1,
                  .synchronises = true,
                  .has_grid = true,
                  .edges = halo_edges},
    gpu("nccl-allreduce", GpuOperation::allreduce, "between GPUs: the sum of all ranks' vectors to all"),
    gpu("nccl-allgather", GpuOperation::allgather, "between GPUs: each rank's block to all ranks"),
    gpu("nccl-reducescatter", GpuOperation::reducescatter,
        "between GPUs: the sum of all vectors, a block to each rank"),
    gpu("nccl-broadcast", GpuOperation::broadcast, "between GPUs: the root's vector to all ranks"),
    gpu("nccl-reduce", GpuOperation::reduce, "between GPUs: the sum of all ranks' vectors to the root"),
    gpu("nccl-alltoall", GpuOperation::alltoall, "between GPUs: a block from each rank to each other"),
    gpu("nccl-sendrecv", GpuOperation::sendrecv, "between GPUs: each rank sends to the next one and receives"),
};

} // namespace

std::span<const BenchmarkKind> benchmark_kinds() {
  return kinds;
}

const BenchmarkKind* find_benchmark(std::string_view name) {
  const auto found = std::ranges::find(kinds, name, &BenchmarkKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

const BenchmarkKind& kind_of(const Benchmark& benchmark) {
  const auto* kind = find_benchmark(benchmark.name);
  assert(kind);
  return *kind;
}

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const auto& kind : kinds)
    names.emplace_back(kind.name);
  return names;
}

} // namespace kakehashi
