// The recording of a run → where its time went.
#pragma once

#include "result/summary.hpp"
#include "study/run/run.hpp"

namespace kakehashi {

// Of a trace that kept the path.
RunSummary summarise(const Recording& recording, const Plan& plan, const RunRecord& record);

// ideal: how long it takes where messages take no time, if that is known.
Efficiencies efficiencies_of(const std::vector<RankTimes>& ranks, Seconds duration, std::optional<Seconds> ideal);
// Errors: those of a run.
Result<Seconds> ideal_time(const Scenario& scenario);

// The use of all channels that carried something, the busiest first.
std::vector<LinkUse> link_uses(const Recording& recording, const Plan& plan, Seconds duration);

// A step of a message on its way in words, and what limits it, if a piece of that size is in it.
struct MessageStep {
  Phase phase = Phase::flow;
  std::size_t stage = 0;
  std::size_t leg = 0;
};
std::string describe(const MessageStep& step, const Way& way, Bytes piece, const std::deque<Channel>& channels);

} // namespace kakehashi
