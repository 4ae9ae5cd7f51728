// A scenario → the plan of its run, the record of its run, and what follows from that record.
#pragma once

#include "base/error.hpp"
#include "engine/options.hpp"
#include "engine/run.hpp"
#include "model/scenario.hpp"
#include "result/record.hpp"
#include "result/summary.hpp"
#include "study/pool/pool.hpp"
#include "workload/job.hpp"

namespace kakehashi {

// The memory and time that a run of a scenario needs, estimated before the run.
struct Need {
  Bytes memory;
  double messages = 0;       // 0: unknown
  Seconds time;              // time of this program; follows from the messages
  std::vector<Seconds> rows; // its parts for each size, if known
};
Need need_of(const Scenario& scenario, const SharedPlace& place);
Need need_of(const Scenario& scenario);

// Returns an error if the run needs more memory than that.
Errors check_need(const Scenario& scenario, const Need& need, Bytes most_memory);

// The engine that runs a scenario if the user leaves that open, decided before the run.
// SimGrid's time for a message grows with the number of messages that flow at the same time. So its work is the number
// of messages that the scenario plans, each counted once for every message then under way. Up to this much work,
// SimGrid is chosen.
inline constexpr double simgrid_work = 50000; // some hundredths of a second

double simgrid_work_of(const Scenario& scenario, const Need& need);

// Never returns EngineKind::automatic. Where SimGrid cannot be loaded, a short run is as exact by the fluid engine.
EngineOptions engine_for(const Scenario& scenario, const Need& need, EngineOptions wished);

// Callbacks for a run.
struct RowWatch {
  // Is called once before the run begins, if this is known: with the least time that it takes, and the messages that it
  // simulates.
  std::function<void(Seconds time, double messages)> begins;
  // Is called with all finished rows, each time there is one more.
  std::function<void(const RunRecord& so_far)> finished;
  // Is called often. Once it returns false, the run ends with an Error of the kind interrupt.
  std::function<bool(const JobProgress& progress, std::size_t messages)> goes_on;
};

// The ways alone, for who runs nothing.
Result<Plan> routes_of(const Scenario& scenario);

// What is known of a scenario's run before it begins. It is made once, and handed on to all that needs any of it.
struct RunPlan : Plan {
  SharedPlace place;
  Need need;
  EngineOptions options; // with the engine that suits the run
};
Result<RunPlan> plan(const Scenario& scenario, const EngineOptions& options = {});
struct PlannedScenario {
  Scenario scenario;
  RunPlan plan;
};

// Runs the scenario's job on the engine that suits it. The record includes the sources of parameters. A scenario may
// run any number of times, one after the other. Errors: those of plan, or a deadlock. Fills `recording`
// if there is one. If the rows of a table do not depend on each other and nothing is recorded, each is a run of its
// own. `jobs`: number of processes for a long run; the result does not depend on it.
Result<RunRecord> run(const Scenario& scenario, Recording* recording = nullptr, const EngineOptions& options = {});
Result<RunRecord> run(const Scenario& scenario, const RunPlan& plan, Recording* recording = nullptr,
                      const RowWatch* watch = nullptr, int jobs = 1);

// Returns how much the times depend on the order of simultaneous events, from runs that shuffle this order. The first
// run shuffles nothing. Each run has a process of its own, at most `jobs` at a time. Errors: those of the first run
// that failed.
Result<Repeats> repeat(
    const Scenario& scenario, const RunPlan& plan, int runs, int jobs,
    const StudyProgress& progress = [](std::size_t, std::size_t) {});

// Returns how the run spent its time. The recording must have kept the path.
RunSummary summarise(const Recording& recording, const Plan& plan, const RunRecord& record);

// `ideal` is the run's time if messages took no time, if that is known.
Efficiencies efficiencies_of(const std::vector<RankTimes>& ranks, Seconds duration, std::optional<Seconds> ideal);
// Errors: those of a run.
Result<Seconds> ideal_time(const Scenario& scenario, const RunPlan& plan);

// Returns the loads of all channels that carried something, the busiest first.
std::vector<LinkUse> link_uses(const Recording& recording, const Plan& plan, Seconds duration);

// A step of a message under way, and the limit of its rate if a piece of that size flows in it.
struct MessageStep {
  Phase phase = Phase::flow;
  std::size_t stage = 0;
  std::size_t leg = 0;
};
std::string describe(const MessageStep& step, const Way& way, Bytes piece, const std::deque<Channel>& channels,
                     RateUnit unit);

} // namespace kakehashi
