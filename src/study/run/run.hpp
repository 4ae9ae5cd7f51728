// A scenario → what happened when it ran: its job, on the engine that suits it, with where its parameters come from.
#pragma once

#include "engine/run.hpp"
#include "model/scenario.hpp"
#include "result/record.hpp"

namespace kakehashi {

// Who looks on while a scenario runs.
struct RowWatch {
  // Called once before it begins, if that is known: how long it takes at least, and how many messages it simulates.
  std::function<void(Seconds time, double messages)> begins;
  std::function<void(const RunRecord& so_far)> finished; // called with all rows that are, whenever there is one more
  // Is asked many times a second; once it says no, the run ends with an Error of the kind interrupt.
  std::function<bool(const JobProgress& progress, std::size_t messages)> goes_on;
};

Result<Plan> plan(const Scenario& scenario);

// As often as wanted, one run after the other. Errors: those of plan, or a deadlock. Fills the trace if there is one.
// Each of a table's rows begins anew, if they do not depend on each other and nothing is recorded. jobs: processes at a
// time, for those of a long run; what comes of it is the same for any number.
Result<RunRecord> run(const Scenario& scenario, Recording* recording = nullptr, const EngineOptions& options = {});
Result<RunRecord> run(const Scenario& scenario, const Plan& plan, Recording* recording = nullptr,
                      const EngineOptions& options = {}, const RowWatch* watch = nullptr, int jobs = 1);

} // namespace kakehashi
