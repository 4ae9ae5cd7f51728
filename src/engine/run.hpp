// A job on planned routes → when its ranks end, and the table of what they collected.
#pragma once

#include "base/error.hpp"
#include "engine/options.hpp"
#include "result/counts.hpp"
#include "result/recording.hpp"
#include "transport/shift.hpp"
#include "transport/way_table.hpp"
#include "workload/job.hpp"

namespace kakehashi {

// Everything that a job needs before it can run.
struct Plan {
  std::shared_ptr<const Platform> platform;
  std::shared_ptr<Topology> topology;
  std::shared_ptr<WayTable> ways;
  std::size_t ranks = 0;
  bool is_ideal = false; // messages take no time, and none waits for its receive
};

// For ranks on these devices. Errors: there is no such fabric; two ranks have no route, or no rule of the fabric fits
// them. Between many devices ways are found while a job runs, and so are such errors.
// A place of an open lane that is not there, or a lane's fabric, is such an error, too.
Result<Plan> plan(std::shared_ptr<const Platform> platform, const std::string& fabric,
                  const std::vector<std::size_t>& devices, const Lanes& lanes = usual_lanes(),
                  CoreOrder order = CoreOrder::block);

// Functions that are called while a job runs.
struct RunWatch {
  // Is asked many times a second; once it says no, the run ends with an Error of the kind interrupt.
  std::function<bool(const JobProgress& progress, std::size_t messages)> goes_on;
  // Is called as a rank begins an operation. request: the number of the first request that this one makes, if any.
  std::function<void(int rank, const Operation& operation, std::uint32_t request)> begins = {};
  // Is called once, when so many messages of all ranks have ended (0: never), and ends the run likewise.
  std::size_t messages = 0;
  std::function<bool(Seconds now)> reaches = {};
};

struct JobRun {
  JobEnd end;
  Table table;
  std::string engine; // name and version, and what ranks stand for all
  EngineCounts counts;
  std::size_t rounds_left_out = 0;
};

// In these the engine is chosen: its kind is not automatic.

// The name of the engine, as a run has it. shift: null if there is none.
std::string engine_text(const EngineOptions& options, const Shift* shift, std::size_t ranks);

// Whether ranks of such a run may stand for others.
bool may_shift(const EngineOptions& options, const Recording* recording);

// Each rank of the job on a device of the plan; of a shifted job those that stand for all. Fills the recording if there
// is one. Errors: those of plan, or a deadlock.
Result<JobRun> run(const Job& job, const Shift* shift, const Plan& plan, const EngineOptions& options,
                   Recording* recording = nullptr, const RunWatch* watch = nullptr);

} // namespace kakehashi
