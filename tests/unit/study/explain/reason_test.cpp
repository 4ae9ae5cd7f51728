#include "study/explain/explanations.hpp"

#include "engine/mpi/peer_platform.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace peer;

const std::vector<std::string> devices{"a.cpu0", "b.cpu0"};

PathShare share(const char* what, Phase phase, int from, int to, double time, double contended = 0) {
  return {what, phase, 0, from, to, microseconds(time), microseconds(contended), 1};
}

RunSummary of(std::vector<PathShare> shares, std::vector<LinkUse> links = {}) {
  RunSummary summary;
  for (const auto& each : shares)
    summary.duration += each.time;
  summary.shares = std::move(shares);
  summary.links = std::move(links);
  return summary;
}

std::string reason_of(const RunSummary& summary) {
  return to_text(main_reason(summary, devices));
}

LinkUse link(double busy) {
  return {"a-b>", gigabytes_per_second(1), 1, busy};
}

TEST(Reason, IsTheSortOfStepThatHasMostOfThePath) {
  EXPECT_EQ(
      reason_of(of({share("compute", Phase::compute, 0, 0, 40), share("setup and trips", Phase::prepare, 0, 1, 30),
                    share("setup and trips", Phase::prepare, 1, 0, 30)})),
      "setup and trips (60 % of the critical path)");
}

TEST(Reason, NamesTheRankWhoseCoreWorksMostly) {
  const auto core = [](int rank, double time) { return share("core", Phase::sender_core, rank, rank, time); };
  EXPECT_EQ(reason_of(of({core(1, 90), core(0, 10)})),
            "the core of rank 1 (b.cpu0): overheads and copies (100 % of the critical path)");
  EXPECT_EQ(reason_of(of({core(1, 60), core(0, 40)})), "cores: overheads and copies (100 % of the critical path)");
  EXPECT_EQ(reason_of(of({share("compute", Phase::compute, 0, 0, 1)})),
            "computing by rank 0 (a.cpu0) (100 % of the critical path)");
}

TEST(Reason, OfFlowsIsWhatLimitsThem) {
  const auto flow = [](const char* what, int from, int to, double contended = 0) {
    return share(what, Phase::flow, from, to, 50, contended);
  };
  EXPECT_EQ(reason_of(of({flow("flow of x", 0, 1), flow("flow of x", 1, 0)}, {link(0.5)})),
            "flow of x (100 % of the critical path)");
  EXPECT_EQ(reason_of(of({flow("flow of a", 1, 0), flow("flow of x", 0, 1)}, {link(0.5)})),
            "flow of x, and other flows (100 % of the critical path)"); // the first of two ways
  EXPECT_EQ(reason_of(of({flow("flow of x", 0, 1), flow("flow of x", 1, 0)}, {link(0.9)})),
            "flow, with a-b> busy 90 % of the time (100 % of the critical path)");
  EXPECT_EQ(reason_of(of({flow("flow of x", 0, 1, 40), flow("flow of x", 1, 0, 40)}, {link(0.5)})),
            "flow over shared links, with a-b> busy 50 % of the time (100 % of the critical path)");
}

TEST(Reason, IsNoLinkWhereCoresHaveThePath) {
  EXPECT_EQ(
      reason_of(of({share("core", Phase::sender_core, 0, 0, 60), share("flow", Phase::flow, 0, 1, 40)}, {link(0.9)})),
      "the core of rank 0 (a.cpu0): overheads and copies (60 % of the critical path)");
}

TEST(Reason, IsNotAtOneRankThatStandsForOthers) {
  const auto of_all = [](std::vector<PathShare> shares) {
    auto summary = of(std::move(shares), {link(0.5)});
    summary.standing_ranks = 2;
    return reason_of(summary);
  };
  EXPECT_EQ(of_all({share("core", Phase::sender_core, 1, 1, 1)}),
            "cores: overheads and copies (100 % of the critical path)");
  EXPECT_EQ(of_all({share("flow of x", Phase::flow, 0, 1, 1)}),
            "flow of x, and other flows (100 % of the critical path)");
}

TEST(Reason, OfARunWithoutTimeIsNothing) {
  EXPECT_EQ(reason_of({}), "nothing that takes time (0 % of the critical path)");
}

// Rank 0 sends to rank 1, which then computes; rank 0 computes before that, too, if both do.
std::string reason_of_computing(bool both) {
  auto scenario = pairs(platform(), {at(0, cpu0), at(1, cpu0)}, 1000);
  auto& steps = std::get<StepProgram>(scenario.workload).steps;
  Step compute;
  compute.kind = Step::Kind::compute;
  compute.time = microseconds(100);
  if (both)
    steps[0].insert(steps[0].begin(), compute);
  steps[1].push_back(compute);
  const auto found = run_with_reason(scenario);
  return found ? to_text(found->reason) : to_text(found.errors().front());
}

TEST(Reason, OfARunIsComputingWhereThatTakesMostOfTheTime) {
  EXPECT_EQ(reason_of_computing(false), "computing by rank 1 (b.cpu0) (98 % of the critical path)");
  EXPECT_EQ(reason_of_computing(true), "computing (99 % of the critical path)");
}

} // namespace
} // namespace kakehashi
