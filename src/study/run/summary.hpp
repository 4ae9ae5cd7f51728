// The recording of a run → how the run spent its time.
#pragma once

#include "result/summary.hpp"
#include "study/run/run.hpp"

namespace kakehashi {

// The recording must have kept the path.
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
std::string describe(const MessageStep& step, const Way& way, Bytes piece, const std::deque<Channel>& channels);

} // namespace kakehashi
