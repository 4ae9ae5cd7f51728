// Functions of studies that take any kind of workload.
#pragma once

#include "model/scenario.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/job.hpp"

namespace kakehashi {

Job make_job(const Workload& workload, SharedPlace place);

// Returns the workload's sizes, ascending: of messages or of work items. A workload without sizes has one, 0.
std::vector<std::uint64_t> sizes_of(const Workload& workload);
// Returns the same workload with other sizes, if it has sizes.
Workload with_sizes(Workload workload, const std::vector<std::uint64_t>& sizes);

// Returns who sends to whom in every iteration; empty: unknown.
std::vector<Edge> edges_of(const Workload& workload, std::size_t ranks);
// Whether the ranks form a closed ring, so that their numbers may be rotated.
bool is_turnable(const Workload& workload);
// Returns the bandwidth, in the unit of rate_name, that it prints at its largest size if this takes `time`. Only for
// workloads with edges.
double bandwidth_of(const Workload& workload, Seconds time);
// The units of its sizes and rates: "bytes", "work item"; "MB/s" or "MiB/s", "items/s". Empty: it has none.
std::string_view size_name(const Workload& workload);
std::string_view rate_name(const Workload& workload);
double printed_rate(const Workload& workload, double rate); // a rate of its figures, in that unit
// Whether it is a recorded application, whose user wants to know where the time went.
bool is_recorded(const Workload& workload);

// The form of a test that calibration can learn from, and its window.
struct PairTest {
  TestForm form = TestForm::one_way;
  int window = 1;
};
std::optional<PairTest> pair_test(const Workload& workload);

// Whether all ranks do the same work in both benchmarks of collective operations, and both print the same. One
// operation may be the v-form of the other, and libraries may choose the same algorithms. For many algorithms this is
// unknown; then the function returns false.
bool is_same_work(const Benchmark& one, const JobPlace& place, const Benchmark& other, const JobPlace& other_place);

// The kinds of workloads, one file each.
Job job_of(const Benchmark& benchmark, SharedPlace place);
Job gpu_job_of(const Benchmark& benchmark, SharedPlace place);
Job job_of(const StepProgram& steps, SharedPlace place);
Job job_of(const BossWorker& workload, SharedPlace place);
Job job_of(const Replay& replay, SharedPlace place);

} // namespace kakehashi
