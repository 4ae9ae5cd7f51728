// A scenario → what happened when it ran: its job, on the engine that suits it, with where its parameters come from.
#pragma once

#include "engine/run.hpp"
#include "model/scenario.hpp"
#include "result/record.hpp"

namespace kakehashi {

// `auto` begins with SimGrid if there are so few ranks that each could write to each with no more messages, and begins
// again with the fluid engine when there is more work after all: SimGrid's time for a message grows with those that
// flow at the same time, so each counts as often. A long trace begins with the fluid engine.
inline constexpr std::size_t simgrid_work = 50000; // some hundredths of a second

// Who looks on while a scenario runs.
struct RowWatch {
  std::function<void(const RunRecord& so_far)> finished; // called with all rows that are, whenever there is one more
  // Is asked many times a second; once it says no, the run ends with an Error of the kind interrupt.
  std::function<bool(const JobProgress& progress, std::size_t messages)> goes_on;
};

Result<Plan> plan(const Scenario& scenario);

// As often as wanted, one run after the other. Errors: those of plan, or a deadlock. Fills the trace if there is one.
Result<RunRecord> run(const Scenario& scenario, Recording* recording = nullptr, const EngineOptions& options = {});
Result<RunRecord> run(const Scenario& scenario, const Plan& plan, Recording* recording = nullptr,
                      const EngineOptions& options = {}, const RowWatch* watch = nullptr);

} // namespace kakehashi
