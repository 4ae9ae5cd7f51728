// A workload as the engine runs it: a program for each rank, and the table of their results.
#pragma once

#include "model/gpu_call.hpp"
#include "model/platform.hpp"
#include "result/table.hpp"
#include "workload/collective/communicator.hpp"
#include "workload/iterations.hpp"
#include "workload/program.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace kakehashi {

// Where the ranks of a run are, and how their MPI library behaves.
struct JobPlace {
  Group world;
  std::vector<int> nodes;        // each rank has a number that all ranks of its node have
  std::vector<int> memories;     // each rank has a number that all ranks with its memory have
  std::vector<NodePoint> points; // the place of each rank's node on a torus; else empty
  Lanes lanes;
  std::vector<DeviceKind> kinds;    // the kind of each rank's device
  std::vector<std::string> devices; // the name of each rank's device
  Library library;
  GpuCalls gpu = {}; // of a benchmark of GPUs
};

using SharedPlace = std::shared_ptr<const JobPlace>;

// `devices` has one for each rank.
SharedPlace make_place(const Platform& platform, const std::vector<std::size_t>& devices, const MpiSettings& mpi,
                       GpuCalls gpu = {});

// The usual lanes, of which those are open that calls of the library may be on.
Lanes lanes_of(const Platform& platform, const std::vector<std::size_t>& devices, const MpiSettings& mpi);

// Adds a note on where vectors of ranks on GPUs are added, if there are such ranks and nobody states it.
void add_gpu_note(const JobPlace& place, Table& table);

// What the engine knows once all ranks have ended.
struct JobEnd {
  std::vector<Seconds> finish; // the end of each rank
  Seconds duration;            // until the last rank ends
  std::size_t messages = 0;
  std::size_t stuck = 0;            // ranks that waited for ever, until all did
  std::size_t requests_at_work = 0; // requests for long messages that came while their receivers worked outside of MPI
};

// Adds a note on what MPI does while ranks work, if that matters. `requests` for long messages came while ranks worked,
// and `calls` nonblocking collective calls were begun.
void add_progress_note(const Library& library, std::size_t requests, std::size_t calls, Table& table);

// How far a job has come.
struct JobProgress {
  std::size_t rows_done = 0; // rows of the table that are done
  std::size_t rows = 0;
  int done = 0;  // iterations of the next row that are done
  int least = 0; // iterations that this row takes at least; 0: unknown
};

struct Job;

// The rows of a table that end one after the other.
struct RowsInTurn {
  std::function<JobProgress()> progress;
  std::function<Table()> so_far; // has the rows that have ended
};

// Rows that do not depend on each other, so that each may run as a job of its own.
struct RowsApart {
  std::function<Job(std::size_t row)> alone; // has one row, whose number is 0 there
  std::function<SizeTiming()> timing;        // the timing of a job with one row, after its run
  std::function<void(SizeTiming)> take;      // adds rows' timings to the job of all rows, in their order
};

// Ranks that do the same as others. Then the first ranks may stand for all.
struct AlikeRanks {
  // All ranks do the same as the ranks n further on (the first follow the last) for any n that is a multiple of this
  // and divides the number of ranks. 0: it is not known whether they do.
  int shifts_by = 0;
  // Ranks also do the same as those that are as far from the last rank as they are from the first.
  bool is_mirrored = false;
  // If this is not known but can be found out: makes a job in which all ranks do each repeated step once.
  std::function<Job()> sample;
  std::function<Job(int ranks)> first; // makes the job of the first ranks
};

// The job must outlive its programs. It makes each rank's program once.
struct Job {
  std::function<Program(Rank&)> program;
  std::function<Table(const JobEnd&)> table;
  std::optional<RowsInTurn> rows;
  std::optional<RowsApart> apart;
  std::optional<AlikeRanks> alike;
  // The time that work takes; none: the time that it states.
  std::function<Seconds(const Rank&, const ComputeOperation&)> work_time;
  bool adds_vectors = false;  // the job depends on the time that a core takes to add
  bool copies_blocks = false; // the job depends on the time that a core takes to copy within its memory
  NodeCosts in_node{};
  bool answers_inside_calls = false;   // ranks answer requests for long messages only inside calls
  bool may_get_stuck = false;          // ranks that wait for ever are no fault
  bool has_one_call_at_a_time = false; // each rank is in at most one collective call of the world at a time
};

} // namespace kakehashi
