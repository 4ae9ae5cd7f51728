// The questions of studies to any workload, whatever its kind.
#pragma once

#include "model/scenario.hpp"
#include "workload/benchmark/kind.hpp"
#include "workload/job.hpp"

namespace kakehashi {

Job make_job(const Workload& workload, SharedPlace place);

// Its sizes, ascending: of messages, or of work items. One, 0, if it has none.
std::vector<std::uint64_t> sizes_of(const Workload& workload);
// The same with other sizes, if it has any.
Workload with_sizes(Workload workload, const std::vector<std::uint64_t>& sizes);

// Who sends to whom in every iteration; none: not known.
std::vector<Edge> edges_of(const Workload& workload, std::size_t ranks);
// The ranks' numbers may be turned: it is a closed ring.
bool is_turnable(const Workload& workload);
// The bandwidth that it prints at its largest size, in MB/s, if that takes so long. Of workloads with edges.
double bandwidth_of(const Workload& workload, Seconds time);
// The units of its sizes and rates: "bytes", "work item"; "MB/s", "items/s". Empty: it has none.
std::string_view size_name(const Workload& workload);
std::string_view rate_name(const Workload& workload);
// A recorded application, of which a user wants to know what its time went into.
bool is_recorded(const Workload& workload);

// The test that calibration can learn from, and its window. None: nothing.
struct PairTest {
  TestForm form = TestForm::one_way;
  int window = 1;
};
std::optional<PairTest> pair_test(const Workload& workload);

// Whether all ranks do the same in both benchmarks of collective operations, and the same is printed: one operation may
// be the form with lists of the other, and libraries may choose alike. Only for some algorithms is it known that they
// are the same.
bool is_same_work(const Benchmark& one, const JobPlace& place, const Benchmark& other, const JobPlace& other_place);

// The kinds, a file each.
Job job_of(const Benchmark& benchmark, SharedPlace place);
Job job_of(const StepProgram& steps, SharedPlace place);
Job job_of(const BossWorker& workload, SharedPlace place);
Job job_of(const Replay& replay, SharedPlace place);

} // namespace kakehashi
