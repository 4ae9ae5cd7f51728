// A run → what most of its time goes into, as its critical path has it.
#pragma once

#include "model/scenario.hpp"
#include "result/summary.hpp"
#include "study/run/run.hpp"

namespace kakehashi {

// The sort of step that has most of the critical path: computing, the cores' work for messages, or a phase of messages
// on their way. Of the first two it names the rank, if that is mostly one; of flows what limits them. The devices are
// those of the ranks, by name.
Reason main_reason(const RunSummary& summary, std::span<const std::string> devices);

struct ReasonedRun {
  RunRecord record;
  Reason reason;
};
Result<ReasonedRun> run_with_reason(const Scenario& scenario, const EngineOptions& engine = {});

} // namespace kakehashi
