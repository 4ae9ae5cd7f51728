// A scenario → the record of its run: its job runs on the engine that suits it. The record includes the sources of
// parameters.
#pragma once

#include "engine/run.hpp"
#include "model/scenario.hpp"
#include "result/record.hpp"
#include "study/run/need.hpp"

namespace kakehashi {

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

// A scenario may run any number of times, one after the other. Errors: those of plan, or a deadlock. Fills `recording`
// if there is one. If the rows of a table do not depend on each other and nothing is recorded, each is a run of its
// own. `jobs`: number of processes for a long run; the result does not depend on it.
Result<RunRecord> run(const Scenario& scenario, Recording* recording = nullptr, const EngineOptions& options = {});
Result<RunRecord> run(const Scenario& scenario, const RunPlan& plan, Recording* recording = nullptr,
                      const RowWatch* watch = nullptr, int jobs = 1);

} // namespace kakehashi
