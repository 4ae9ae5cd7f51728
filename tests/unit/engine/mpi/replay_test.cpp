// Recorded ranks through the engine, with times worked by hand.
#include "engine/mpi/results.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/collective/registry.hpp"
#include "workload/replay.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace kakehashi {
namespace replay_test {

// Two cpus of 1 GB/s and 1 us between them, without overheads. Eager below 10 kB.
std::shared_ptr<Platform> two_cpus() {
  auto platform = std::make_shared<Platform>();
  platform->name = "two-cpus";
  platform->nodes = {"a", "b"};
  platform->devices.push_back({"a.cpu", DeviceKind::cpu, 0, std::nullopt});
  platform->devices.push_back({"b.cpu", DeviceKind::cpu, 1, std::nullopt});
  Link link;
  link.name = "a-b";
  link.from = 0;
  link.to = 1;
  link.type = link_type("ethernet");
  link.bandwidth = gigabytes_per_second(1);
  link.latency = microseconds(1);
  platform->links.push_back(link);
  Regime eager;
  eager.to = Bytes{10000};
  Regime rendezvous;
  rendezvous.from = Bytes{10000};
  rendezvous.trips = 2;
  Fabric net;
  net.name = "net";
  net.links = {link_type("ethernet")};
  net.rules = {{std::nullopt, std::nullopt, std::nullopt, {eager, rendezvous}}};
  platform->fabrics = {net};
  return platform;
}

using What = decltype(TraceEvent::what);

class ListedEvents : public EventStream {
public:
  ListedEvents(std::string file, std::vector<What> events) : file_(std::move(file)), events_(std::move(events)) {}
  const std::string& file() const override { return file_; }
  const TraceEvent* next() override {
    if (event_.line == events_.size())
      return nullptr;
    event_.what = events_[event_.line++];
    return &event_;
  }
  const std::optional<Error>& fault() const override { return fault_; }

private:
  std::string file_;
  std::vector<What> events_;
  TraceEvent event_;
  std::optional<Error> fault_;
};

class ListedTrace : public TraceSource {
public:
  explicit ListedTrace(std::vector<std::vector<What>> ranks, std::vector<RankGroup> communicators = {})
      : ranks_(std::move(ranks)), communicators_(std::move(communicators)) {}
  std::unique_ptr<EventStream> open(int rank) const override {
    return std::make_unique<ListedEvents>("r" + std::to_string(rank), ranks_[static_cast<std::size_t>(rank)]);
  }
  std::uint64_t bytes() const override { return 0; }
  std::vector<std::string> files() const override { return {}; }
  const std::vector<RankGroup>& communicators() const override { return communicators_; }

private:
  std::vector<std::vector<What>> ranks_;
  std::vector<RankGroup> communicators_;
};

Scenario scenario_of(Replay workload) {
  Scenario scenario;
  scenario.name = "replay";
  scenario.file = "s.json";
  scenario.platform = two_cpus();
  scenario.fabric = "net";
  scenario.ranks = {0, 1};
  workload.speed.fill(FlopsPerSecond{2e9});
  workload.slowdown.fill(3);
  scenario.workload = workload;
  return scenario;
}

Result<RunRecord> replay(Replay workload) {
  return run(scenario_of(std::move(workload)), nullptr, {EngineKind::fluid, 0, 0}); // which may run again and again
}

Replay listed(std::vector<std::vector<What>> ranks) {
  Replay workload;
  workload.source = std::make_shared<ListedTrace>(std::move(ranks));
  return workload;
}

std::vector<double> ends_of(const Result<RunRecord>& record) {
  std::vector<double> found;
  if (!record) {
    ADD_FAILURE() << to_text(record.errors().front());
    return found;
  }
  for (const auto end : ends_of(*record))
    found.push_back(std::round(end.value * 1e9) / 1e3);
  return found;
}

std::vector<double> ends(std::vector<std::vector<What>> ranks) {
  return ends_of(replay(listed(std::move(ranks))));
}

std::string fault(std::vector<std::vector<What>> ranks) {
  const auto record = replay(listed(std::move(ranks)));
  return record ? "none" : to_text(record.errors().front());
}

const SendEvent send{1, 5, Bytes{1000}, true};
const SendEvent isend{1, 5, Bytes{1000}, false};
const ReceiveEvent receive{0, 5, true};
const ReceiveEvent ireceive{0, 5, false};
const RequestName name{0, 1, 5};

TEST(Replay, SendsComputesAndReceives) {
  EXPECT_EQ(ends({{ComputeEvent{Flops{20000}}, send}, {receive}}), (std::vector{10.0, 12.0}));
}

TEST(Replay, StretchesRecordedWorkButNoPause) {
  EXPECT_EQ(ends({{ElapseEvent{microseconds(5), true}}, {ElapseEvent{microseconds(5), false}}}),
            (std::vector{15.0, 5.0}));
}

TEST(Replay, WaitsForTheOldestRequestOfAName) {
  const SendEvent longer{1, 5, Bytes{3000}, true};
  // 1000 B are there after 2 us, 3000 B more after 5 us.
  const ComputeEvent mark{Flops{0}};
  EXPECT_EQ(ends({{send, longer}, {ireceive, ireceive, WaitEvent{name}, mark}}), (std::vector{0.0, 5.0}));
  EXPECT_EQ(ends({{send, longer}, {ireceive, WaitEvent{name}, ReceiveEvent{{}, {}, true}}}), (std::vector{0.0, 5.0}));
}

TEST(Replay, EndsWhatIsNeverWaitedForBeforeTheRankEnds) {
  EXPECT_EQ(ends({{send}, {ireceive}}), (std::vector{0.0, 2.0}));
  EXPECT_EQ(ends({{isend, WaitAllEvent{}}, {ireceive, WaitAllEvent{}}}), (std::vector{0.0, 2.0}));
}

TEST(Replay, NeedsNoWaitAfterATestThatSucceeded) {
  const ComputeEvent work{Flops{20000}};
  EXPECT_EQ(ends({{send}, {ireceive, work, TestEvent{name}, WaitEvent{name}}}), (std::vector{0.0, 10.0}));
  EXPECT_EQ(ends({{send}, {ireceive, TestEvent{name}, WaitEvent{name}}}), (std::vector{0.0, 2.0}));
}

TEST(Replay, TestsAllRequestsThatAreOpen) {
  const ComputeEvent work{Flops{20000}};
  EXPECT_EQ(ends({{send}, {ireceive, work, TestEvent{}, WaitEvent{name}}}), (std::vector{0.0, 10.0}));
  EXPECT_EQ(ends({{send}, {ireceive, TestEvent{}, WaitEvent{name}}}), (std::vector{0.0, 2.0}));
}

TEST(Replay, WaitsForAnyRequestThatIsOpen) {
  const SendEvent late{1, 6, Bytes{1000}, true};
  const ReceiveEvent of_late{0, 6, false};
  const WaitAnyEvent any;
  // Tag 5 is there after 2 us, tag 6 after 12 us. Rank 1 computes 11 us in between.
  const std::vector<What> receiver{of_late, ireceive, any, ComputeEvent{Flops{22000}}, any, any};
  EXPECT_EQ(ends({{send, ComputeEvent{Flops{20000}}, late}, receiver}), (std::vector{10.0, 13.0}));
}

TEST(Replay, SendsToItselfInNoTime) {
  const SendEvent to_self{0, 1, Bytes{1000000}, true};
  const ReceiveEvent from_self{0, 1, true};
  const ReceiveEvent from_any{{}, {}, false};
  EXPECT_EQ(ends({{to_self, from_self}, {}}), (std::vector{0.0, 0.0}));
  EXPECT_EQ(ends({{from_any, to_self, WaitAllEvent{}, SendReceiveEvent{to_self, from_self}}, {}}),
            (std::vector{0.0, 0.0}));
}

// What is received is at hand, from the rank itself or from the other one. What is sent is granted at 11 us, flows from
// 12 us on and takes 20 us.
TEST(Replay, WaitsForBothHalvesOfASendreceive) {
  const auto both = [](int from) {
    return SendReceiveEvent{SendEvent{1, 2, Bytes{20000}, true}, ReceiveEvent{from, 1, true}};
  };
  const SendEvent early{0, 1, Bytes{1000}, true};
  const ComputeEvent busy{Flops{22000}};
  const ReceiveEvent late{0, 2, true};
  EXPECT_EQ(ends({{early, both(0)}, {busy, late}}), (std::vector{32.0, 32.0}));
  EXPECT_EQ(ends({{ComputeEvent{Flops{10000}}, both(1)}, {early, busy, late}}), (std::vector{32.0, 32.0}));
}

TEST(Replay, SendsToNobody) {
  EXPECT_EQ(ends({{SendEvent{{}, 1, Bytes{1000}, true}}, {}}), (std::vector{0.0, 0.0}));
}

TEST(Replay, ComputesAReductionAfterItWhereTheTraceTellsTheWork) {
  // Each sends 1000 B to the other: 2 us, behind a copy of its own vector at 0.1 ns/B. 4000 operations take 2 us, or
  // the library's 0.2 us and 0.25 ns/B for 1000 B, 0.45 us.
  const auto call = [](double work) {
    return CollectiveEvent{Collective::allreduce, 0, Bytes{1000}, {}, Flops{work}, 0};
  };
  EXPECT_EQ(ends({{call(4000)}, {call(4000)}}), (std::vector{4.1, 4.1}));
  const auto cost = 0.3 + 1000 * of_kind(usual_reduction, DeviceKind::cpu).value * 1e6;
  EXPECT_EQ(ends({{call(0)}, {call(0)}}), (std::vector{2 + cost, 2 + cost}));
}

TEST(Replay, GathersUnequalBlocksThatOnlyTheRootKnows) {
  const CollectiveEvent at_root{Collective::gatherv, 0, Bytes{10}, {}, {}, 0};
  const CollectiveEvent at_other{Collective::gatherv, 0, Bytes{2000}, {}, {}, 0};
  EXPECT_EQ(ends({{at_root}, {at_other}}), (std::vector{3.0, 0.0}));
  const CollectiveEvent from_root{Collective::scatterv, 0, {}, {10, 2000}, {}, 0};
  const CollectiveEvent to_other{Collective::scatterv, 0, {}, {0, 0}, {}, 0};
  EXPECT_EQ(ends({{from_root}, {to_other}}), (std::vector{0.0, 3.0}));
}

TEST(Replay, CallsInTheCommunicatorThatTheTraceNames) {
  // In the first communicator rank 1 is the root, in the second rank 0.
  const auto bcast = [](std::size_t communicator) {
    return CollectiveEvent{Collective::bcast, 0, Bytes{1000}, {}, {}, communicator};
  };
  Replay workload;
  workload.source = std::make_shared<ListedTrace>(
      std::vector<std::vector<What>>{{bcast(1), bcast(2)}, {bcast(2), ElapseEvent{microseconds(5), false}, bcast(1)}},
      std::vector<RankGroup>{{"the world", {0, 1}}, {"back", {1, 0}}, {"forth", {0, 1}}});
  // Rank 1 waits for rank 0, which waits for rank 1: equal calls, but of other communicators.
  const auto record = replay(workload);
  ASSERT_FALSE(record);
  EXPECT_TRUE(to_text(record.errors().front()).starts_with("s.json: deadlock after 0.000 us: 2 of 2 ranks"));
  workload.source = std::make_shared<ListedTrace>(
      std::vector<std::vector<What>>{{bcast(2), bcast(1)}, {bcast(2), ElapseEvent{microseconds(5), false}, bcast(1)}},
      std::vector<RankGroup>{{"the world", {0, 1}}, {"back", {1, 0}}, {"forth", {0, 1}}});
  EXPECT_EQ(ends_of(replay(workload)), (std::vector{9.0, 7.0})); // there after 2 us, back from 7 to 9 us
}

TEST(Replay, LetsNonblockingCallsGoOnInsideCalls) {
  CollectiveEvent bcast{Collective::bcast, 0, Bytes{1000}, {}, {}, 0};
  bcast.blocking = false;
  const ElapseEvent pause{microseconds(5), false};
  // Rank 0 sends before its pause; there after 2 us.
  EXPECT_EQ(ends({{bcast, pause, WaitCollectiveEvent{}}, {bcast, WaitCollectiveEvent{}}}), (std::vector{5.0, 2.0}));
  EXPECT_EQ(ends({{bcast, pause, WaitAllEvent{}}, {bcast, WaitAllEvent{}}}), (std::vector{5.0, 2.0}));
  EXPECT_EQ(ends({{bcast, pause}, {bcast}}), (std::vector{5.0, 2.0})); // by the end
  // Beside a blocking call: the barrier takes 1 us each way.
  EXPECT_EQ(ends({{bcast, pause, CollectiveEvent{}, WaitCollectiveEvent{}},
                  {bcast, WaitCollectiveEvent{}, CollectiveEvent{}}}),
            (std::vector{5.0, 6.0}));
}

TEST(Replay, OverlapsAsMpiGoesOn) {
  const auto record_of = [](MpiProgress progress, const std::vector<What>& first, const std::vector<What>& second) {
    auto scenario = scenario_of(listed({first, second}));
    scenario.mpi.progress = progress;
    return run(scenario, nullptr, {EngineKind::fluid, 0, 0});
  };
  const ComputeEvent pause{Flops{100000}}; // 50 us
  // 20 kB: a request of 1 us, an answer of 1 us, 20 us of data.
  const std::vector<What> sender{SendEvent{1, 5, Bytes{20000}, true}};
  const std::vector<What> receiver{ireceive, pause, WaitEvent{name}};
  EXPECT_EQ(ends_of(record_of(MpiProgress::hardware, sender, receiver)), (std::vector{22.0, 50.0}));
  EXPECT_EQ(ends_of(record_of(MpiProgress::thread, sender, receiver)), (std::vector{22.0, 50.0}));
  EXPECT_EQ(ends_of(record_of(MpiProgress::inside_calls, sender, receiver)), (std::vector{71.0, 71.0}));
  // Any call lets it go on.
  const std::vector<What> calling{ireceive, pause, TestEvent{}, pause, WaitEvent{name}};
  EXPECT_EQ(ends_of(record_of(MpiProgress::inside_calls, sender, calling)), (std::vector{71.0, 100.0}));
  // An allreduce of 20 kB by halves, 10 kB each way twice.
  CollectiveEvent allreduce{Collective::allreduce, 0, Bytes{20000}, {}, {}, 0};
  allreduce.blocking = false;
  const std::vector<What> both{allreduce, pause, WaitCollectiveEvent{}};
  EXPECT_EQ(ends_of(record_of(MpiProgress::hardware, both, both)), (std::vector{50.0, 50.0}));
  EXPECT_EQ(ends_of(record_of(MpiProgress::thread, both, both)), (std::vector{50.0, 50.0}));
  const auto inside = record_of(MpiProgress::inside_calls, both, both);
  allreduce.blocking = true;
  const auto alone = ends({{allreduce}, {allreduce}});
  EXPECT_EQ(ends_of(inside), (std::vector{50 + alone[0] - 1, 50 + alone[1] - 1})); // the first requests are there
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->table.text.notes.back(),
            "MPI's progress: inside-calls (as stated); it concerns 2 long messages asked for while the receiver works "
            "and 2 nonblocking collective calls");
}

// Rank 2 is to get the first vector from rank 1, which has it after 100 us, not the second one, which rank 1 has at
// once.
TEST(Replay, KeepsNonblockingCallsApart) {
  CollectiveEvent first{Collective::bcast, 0, Bytes{8}, {}, {}, 0}, second{Collective::bcast, 1, Bytes{8}, {}, {}, 0};
  first.blocking = second.blocking = false;
  const ElapseEvent pause{microseconds(100), false}, short_pause{microseconds(50), false};
  const WaitCollectiveEvent wait;
  auto scenario = scenario_of(listed(
      {{pause, first, second, wait, wait}, {first, second, wait, wait}, {first, wait, short_pause, second, wait}}));
  scenario.ranks = {0, 1, 0};
  scenario.mpi.algorithms[static_cast<std::size_t>(Collective::bcast)] =
      AlgorithmChoice{index_of_algorithm(Collective::bcast, "chain"), {}, 1};
  const auto found = ends_of(run(scenario, nullptr, {EngineKind::fluid, 0, 0}));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[2], 152.016, 1e-3);
}

// With a slowdown of 3. The second kernel begins 2 us after the first.
TEST(Replay, BeginsWorkOfDevicesAfterItsDelay) {
  const DeviceWorkEvent first{1, {}, microseconds(3), microseconds(10)},
      second{2, {1}, microseconds(2), microseconds(10)};
  EXPECT_EQ(ends({{first, DeviceWaitEvent{{1}}}, {}}), (std::vector{33.0, 0.0}));
  EXPECT_EQ(ends({{first, second, DeviceWaitEvent{{2}}}, {}}), (std::vector{65.0, 0.0}));
}

TEST(Replay, InterruptsRanksButNoDevices) {
  auto scenario = scenario_of(listed(
      {{DeviceWorkEvent{1, {}, {}, microseconds(10)}, DeviceWaitEvent{{1}}}, {ElapseEvent{microseconds(10), true}}}));
  scenario.what_if.noise = Noise{{}, microseconds(1), microseconds(5), 1, "noise"};
  const auto found = ends_of(run(scenario, nullptr, {EngineKind::fluid, 0, 0}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], 30.0);
  EXPECT_GT(found[1], 40.0);
}

TEST(Replay, LeavesSomeRequestsOpenAtAWaitall) {
  const ComputeEvent work{Flops{20000}};
  EXPECT_EQ(ends({{ComputeEvent{Flops{40000}}, send}, {ireceive, WaitAllEvent{{name}}, work, WaitEvent{name}}}),
            (std::vector{20.0, 22.0}));
}

TEST(Replay, KeepsMessagesOfContextsApart) {
  // 1000 B are there after 2 us, 3000 B more after 5 us.
  const SendEvent in_world{1, 5, Bytes{1000}, true};
  const SendEvent elsewhere{1, 5, Bytes{3000}, true, false, 1};
  const ReceiveEvent from_elsewhere{0, 5, true, false, 1};
  EXPECT_EQ(ends({{in_world, elsewhere}, {from_elsewhere}}), (std::vector{0.0, 5.0}));
  EXPECT_EQ(TagTable().tag_of(0, 7), 7);
  EXPECT_NE(TagTable().tag_of(1, 7), 7);
}

TEST(Replay, WaitsForRequestsByTheirNumbersAndForNoOthers) {
  const ElapseEvent pause{microseconds(10), false};
  const ReceiveEvent late{0, 1, false, false, 0, 1};
  const ReceiveEvent early{0, 2, false, false, 0, 2};
  const std::vector<What> sender{SendEvent{1, 2, Bytes{1000}, true}, pause, SendEvent{1, 1, Bytes{1000}, true}};
  EXPECT_EQ(ends({sender, {late, early, CompleteEvent{{2, 77}}}}), (std::vector{10.0, 2.0}));
  EXPECT_EQ(ends({sender, {late, early, CompleteEvent{{2, 1}}}}), (std::vector{10.0, 12.0}));
}

TEST(Replay, TellsAWaitForNothing) {
  EXPECT_EQ(fault({{}, {WaitEvent{name}}}),
            "r1: line 1: rank 1 waits for a message from rank 0 to rank 1 (tag 5), but no such isend or irecv is open");
}

TEST(Replay, TellsTimesBeyondWhichClocksAreVague) {
  EXPECT_EQ(fault({{ElapseEvent{Seconds{6e8}, false}, ElapseEvent{Seconds{6e8}, false}}, {}}),
            "r0: line 2: rank 0 computes or sleeps beyond 1e+09 s, the longest run");
  EXPECT_EQ(fault({{}, {ComputeEvent{Flops{1e300}}}}),
            "r1: line 1: rank 1 computes or sleeps beyond 1e+09 s, the longest run");
}

TEST(Replay, TellsUnequalCalls) {
  const CollectiveEvent barrier{};
  const CollectiveEvent bcast{Collective::bcast, 1, Bytes{8}, {}, {}, 0};
  EXPECT_EQ(fault({{barrier, ComputeEvent{Flops{1}}, barrier}, {barrier, bcast}}),
            "r0: line 3: rank 0 calls barrier, but rank 1 calls bcast of 8 B with root 1 (r1: line 2) as its "
            "collective call number 2 too");
}

// Operations of rank 0 and of rank 1.
std::vector<double> ends(RankSchedule first, RankSchedule second) {
  Replay workload;
  workload.schedule = std::make_shared<const Schedule>(Schedule{"x.goal", {std::move(first), std::move(second)}});
  return ends_of(replay(workload));
}

ScheduledOperation work(double us) {
  return {ScheduledOperation::Kind::work, {}, {}, {}, microseconds(us), 0};
}
const ScheduledOperation to_1{ScheduledOperation::Kind::send, 1, 5, Bytes{1000}, {}, 0};
const ScheduledOperation from_0{ScheduledOperation::Kind::receive, 0, 5, {}, {}, 0};

TEST(Schedules, StartWhatHasNothingToWaitFor) {
  // Work takes three times as long. The message is there after 2 us, while the core works.
  EXPECT_EQ(ends({{to_1}, {}}, {{work(1), from_0}, {}}), (std::vector{0.0, 3.0}));
}

TEST(Schedules, WorkSideBySideOnSeveralCpus) {
  auto aside = work(2);
  aside.cpu = 1;
  EXPECT_EQ(ends({{work(1), aside, aside}, {}}, {{}, {}}), (std::vector{12.0, 0.0})); // two in turn on the second
  EXPECT_EQ(ends({{work(1), aside, work(1)}, {{1, 2, false}}}, {{}, {}}), (std::vector{9.0, 0.0}));
}

TEST(Schedules, SendInTurnIfAsked) {
  auto large = to_1;
  large.size = Bytes{100000};
  Replay workload;
  workload.schedule =
      std::make_shared<const Schedule>(Schedule{"x.goal", {{{large, to_1, work(1)}, {}}, {{from_0, from_0}, {}}}});
  workload.sends_in_turn = true;
  // The request of the first takes 1 us, its grant and payload 101 us; the second is there 2 us later.
  EXPECT_EQ(ends_of(replay(workload)), (std::vector{102.0, 104.0}));
}

TEST(Schedules, WaitForTheEndOfWhatIsRequired) {
  EXPECT_EQ(ends({{to_1, work(1)}, {{1, 0, false}}}, {{from_0, work(1)}, {{0, 1, false}}}), (std::vector{3.0, 8.0}));
}

TEST(Schedules, WaitForAnyOfSeveral) {
  auto late = to_1;
  late.tag = 6;
  auto from_late = from_0;
  from_late.tag = 6;
  // Rank 0 sends with tag 5 at once and with tag 6 after 9 us; rank 1 works 3 us after each, from 2 us and 11 us on.
  EXPECT_EQ(ends({{to_1, work(3), late}, {{1, 2, false}}},
                 {{from_late, work(1), from_0, work(1)}, {{0, 1, false}, {2, 3, false}}}),
            (std::vector{9.0, 14.0}));
}

TEST(Schedules, StartWithWhatIsRequiredToStart) {
  // Both wait for nothing but the start of the receive: the work does not wait for the message.
  EXPECT_EQ(ends({{work(2), to_1}, {{0, 1, false}}}, {{from_0, work(1)}, {{0, 1, true}}}), (std::vector{6.0, 8.0}));
}

TEST(Replay, TellsWhichSendsNobodyReceives) {
  const SendEvent large{1, 7, Bytes{20000}, false};
  EXPECT_EQ(
      fault({{isend, large, WaitAllEvent{}}, {}}),
      "s.json: deadlock after 2.000 us: 1 of 2 ranks wait for ever\n"
      "  rank 0 (r0: line 3): wait for 2 requests, 1 of them open; isend of 20000 B to rank 1 (tag 7) of line 2\n"
      "  1 rank is in sends of up to 20000 B, which wait for their receives from 10000 B on "
      "here. A program that relies on MPI to buffer them needs a higher eager limit, and may deadlock with another "
      "library, too");
}

TEST(Replay, TellsWhereADeadlockIs) {
  const ReceiveEvent lost{0, 9, false};
  EXPECT_EQ(
      fault({{send, CollectiveEvent{}}, {receive, lost, ireceive, WaitAllEvent{}}}),
      "s.json: deadlock after 2.000 us: 2 of 2 ranks wait for ever\n"
      "  rank 0 (r0: line 2, in barrier): sendrecv: send of 0 B to rank 1 (tag -2), recv from rank 1 (tag -2)\n"
      "  rank 1 (r1: line 4): wait for 2 requests, 2 of them open; irecv from rank 0 (tag 9) of line 2; irecv from "
      "rank 0 (tag 5) of line 3");
}

} // namespace replay_test
} // namespace kakehashi
