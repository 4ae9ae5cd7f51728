// A workload as the engine runs it: a program for each rank, and the table of what they collect.
#pragma once

#include "model/platform.hpp"
#include "result/table.hpp"
#include "workload/collective/communicator.hpp"
#include "workload/iterations.hpp"
#include "workload/program.hpp"

#include <functional>
#include <memory>

namespace kakehashi {

// Where the ranks of a run are, and how its MPI library behaves. For each rank a device.
struct JobPlace {
  Group world;
  std::vector<int> nodes;           // of each rank: a number that those of its node share
  std::vector<NodePoint> points;    // on a torus, where its node is; else empty
  std::vector<DeviceKind> kinds;    // of each rank's device
  std::vector<std::string> devices; // their names
  Library library;
};

using SharedPlace = std::shared_ptr<const JobPlace>;

// devices: of each rank.
SharedPlace make_place(const Platform& platform, const std::vector<std::size_t>& devices, const MpiSettings& mpi);

// Whether reductions of such ranks are done on the hosts of GPUs.
bool adds_on_hosts(const Platform& platform, const std::vector<std::size_t>& devices, const MpiSettings& mpi);

// Says where vectors of ranks on GPUs are added, if there are any, and nobody states it.
void add_gpu_note(const JobPlace& place, Table& table);

// The facts that are known once all ranks have ended.
struct JobEnd {
  std::vector<Seconds> finish; // of each rank
  Seconds duration;            // until the last of them
  std::size_t messages = 0;
  std::size_t stuck = 0;            // ranks that waited for ever, until all did
  std::size_t requests_at_work = 0; // for long messages, that came while their receivers worked outside of MPI
};

// Says what of MPI goes on while ranks work, where that matters: so many requests for long messages came then, so many
// nonblocking collective calls were begun.
void add_progress_note(const Library& library, std::size_t requests, std::size_t calls, Table& table);

// How far a job is, where it can tell.
struct JobProgress {
  std::size_t rows_done = 0; // of the table
  std::size_t rows = 0;
  int done = 0;  // of the next row: iterations
  int least = 0; // that it takes at least; 0: not known
};

// The job must outlive the programs, and makes each rank's once.
struct Job {
  std::function<Program(Rank&)> program;
  std::function<Table(const JobEnd&)> table;
  // Those whose rows are finished one after the other have these two. The table is of the rows that are.
  std::function<JobProgress()> progress;
  std::function<Table()> table_so_far;
  // Where rows do not depend on each other, each of several may run as a job of its own, as of 0. Its timing is put in
  // the table of all, in their order.
  std::function<Job(std::size_t row)> alone;
  std::function<SizeTiming()> timing; // of a job with one row, once it has run
  std::function<void(SizeTiming)> take;
  bool adds_vectors = false;  // uses the time that a core takes to add
  bool copies_blocks = false; // or to copy within its memory
  // If all ranks do the same with those so many further on (behind the last comes the first), for any number that is a
  // multiple of `shifts_by` and divides theirs: the job of the first ones, which stand for all. None: they do not.
  int shifts_by = 0;
  bool is_mirrored = false; // likewise with those as far from the last rank as they are from the first
  // Where that is not known, but may be seen: a job of all ranks that do what is done again and again once.
  std::function<Job()> sample;
  std::function<Job(int ranks)> shifted;
  std::function<Seconds(const Rank&, const ComputeOperation&)> work_time; // that it takes; none: what it states
  bool answers_inside_calls = false;                                      // requests for long messages
  bool may_get_stuck = false;                                             // ranks that wait for ever are no fault
  bool has_one_call_at_a_time = false; // each rank is in one collective call of the world at most
};

} // namespace kakehashi
