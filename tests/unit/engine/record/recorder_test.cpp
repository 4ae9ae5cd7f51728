// What is recorded of runs of every sort: ranks' times add up to their ends, and the critical path to the duration.
#include "engine/mpi/peer_platform.hpp"
#include "engine/mpi/results.hpp"
#include "engine/mpi/simulation.hpp"
#include "study/run/scenario_run.hpp"
#include "workload/workload.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace peer;

constexpr double instant = 1e-12; // s; what the engines take for one time

Step compute(double us) {
  Step step;
  step.kind = Step::Kind::compute;
  step.time = microseconds(us);
  return step;
}
Step of_kind(Step step, Step::Kind kind) {
  step.kind = kind;
  return step;
}
Step wait_all() {
  return of_kind({}, Step::Kind::waitall);
}

std::shared_ptr<Platform> with_regimes(int trips, double gap_us = 0) {
  auto made = platform();
  auto& regime = made->fabrics[0].rules[0].regimes[0];
  regime.trips = trips;
  regime.setup = microseconds(0.3);
  regime.gap = microseconds(gap_us);
  made->links.back().latency = microseconds(0.2);
  return made;
}

std::shared_ptr<Platform> staged(std::optional<Bytes> chunk) {
  auto made = with_regimes(1);
  add_stages(*made, chunk);
  return made;
}

Scenario of(std::shared_ptr<const Platform> on, Workload workload, std::vector<std::size_t> ranks,
            const char* fabric = "net") {
  Scenario scenario;
  scenario.name = "recorded";
  scenario.platform = std::move(on);
  scenario.fabric = fabric;
  scenario.ranks = std::move(ranks);
  scenario.workload = std::move(workload);
  return scenario;
}

Benchmark benchmark(const char* name, std::vector<Bytes> sizes) {
  Benchmark benchmark;
  benchmark.name = name;
  benchmark.sizes = std::move(sizes);
  benchmark.window = 8;
  return benchmark;
}

struct Case {
  const char* name;
  Scenario (*scenario)();
};

const std::vector<std::size_t> two{at(0, cpu0), at(1, cpu0)};
const std::vector<std::size_t> eight{at(0, cpu0), at(0, cpu1), at(0, near_mic), at(0, far_mic),
                                     at(1, cpu0), at(1, cpu1), at(1, near_mic), at(1, far_mic)};
const std::vector<Bytes> sizes{Bytes{0}, Bytes{8}, Bytes{4096}, Bytes{100000}};

Scenario busy_steps(int trips) {
  auto late = receive(0);
  late.kind = Step::Kind::irecv;
  StepProgram program{{{compute(3), of_kind(send(1, 1000), Step::Kind::isend), compute(7), wait_all(), receive(2)},
                       {late, compute(20), wait_all(), send(2, 5000)},
                       {receive(1), send(0, 100), compute(1)},
                       {}}};
  return of(with_regimes(trips), program, {at(0, cpu0), at(0, far_mic), at(1, cpu0), at(1, cpu1)});
}

Workload boss_and_workers() {
  BossWorker workload;
  workload.work_items = {10, 1000};
  workload.compute.fill(microseconds(0.05));
  return workload;
}

const Case cases[] = {
    {"EagerPingPong", [] { return of(with_regimes(1), benchmark("imb-pingpong", sizes), two); }},
    {"RendezvousPingPong", [] { return of(with_regimes(3), benchmark("imb-pingpong", sizes), two); }},
    {"WindowsWithGaps", [] { return of(with_regimes(1, 2), benchmark("osu-bibw", sizes), two); }},
    {"RendezvousWindows", [] { return of(with_regimes(3, 0.1), benchmark("osu-bw", sizes), two); }},
    {"Ring", [] { return of(with_regimes(3), benchmark("ring", sizes), eight); }},
    {"Exchange", [] { return of(with_regimes(1, 1), benchmark("imb-exchange", sizes), eight); }},
    {"Alltoall", [] { return of(with_regimes(1, 0.1), benchmark("imb-alltoall", sizes), eight); }},
    {"Allreduce", [] { return of(with_regimes(3), benchmark("osu-allreduce", sizes), eight); }},
    {"Bcast", [] { return of(with_regimes(1), benchmark("imb-bcast", sizes), eight); }},
    {"Put", [] { return of(with_regimes(1), benchmark("osu-put-latency", sizes), two); }},
    {"Get", [] { return of(with_regimes(1), benchmark("osu-get-latency", sizes), two); }},
    {"Stages",
     [] {
       return pairs(staged({}), {at(0, far_mic), at(1, far_mic)}, 10000, "staged");
     }},
    {"Pipeline",
     [] {
       return pairs(staged(Bytes{1000}), {at(0, far_mic), at(1, far_mic)}, 10500, "staged");
     }},
    {"BossAndWorkers", [] { return of(with_regimes(1), boss_and_workers(), eight); }},
    {"EagerSteps", [] { return busy_steps(1); }},
    {"RendezvousSteps", [] { return busy_steps(3); }},
};

void PrintTo(const Case& which, std::ostream* out) {
  *out << which.name;
}

struct Recorded {
  RunRecord record;
  Recording recording;
};

Recorded recorded(const Scenario& scenario, EngineKind kind, double tolerance = 0) {
  Recorded found;
  found.recording.keep_path = true;
  found.recording.timeline.emplace();
  auto record = run(scenario, &found.recording, {kind, tolerance, 0});
  if (!record)
    ADD_FAILURE() << to_text(record.errors()[0]);
  else
    found.record = std::move(*record);
  return found;
}

class EachRecording : public testing::TestWithParam<std::tuple<Case, EngineKind>> {};

TEST_P(EachRecording, AddsUp) {
  const auto& [which, kind] = GetParam();
  const auto [record, recording] = recorded(which.scenario(), kind, kind == EngineKind::fluid ? 0.02 : 0);
  ASSERT_GT(record.duration.value, 0);

  const auto& pieces = recording.path.steps; // from the start to the end, without holes
  ASSERT_FALSE(pieces.empty());
  Seconds at_time;
  for (const auto& piece : pieces) {
    ASSERT_NEAR(piece.start.value, at_time.value, instant) << phase_names[static_cast<std::size_t>(piece.phase)];
    ASSERT_GT(piece.end, piece.start);
    at_time = piece.end;
  }
  EXPECT_NEAR(at_time.value, record.duration.value, instant);
  EXPECT_NEAR(recording.path.log.time().value, record.duration.value, 1e-9 * record.duration.value);

  Seconds last; // each rank's time up to its end, the last of which is the duration
  ASSERT_EQ(recording.ranks.size(), record.ranks.size());
  for (const auto& times : recording.ranks) {
    last = std::max(last, times.total());
    for (const auto part : {times.compute, times.overhead, times.waiting, times.transfer})
      EXPECT_GE(part.value, -instant);
  }
  EXPECT_NEAR(last.value, record.duration.value, 1e-9 * record.duration.value + instant);
  if (record.table.list == "rank_ends_us")
    for (std::size_t rank = 0; rank < recording.ranks.size(); ++rank)
      EXPECT_NEAR(recording.ranks[rank].total().value, ends_of(record)[rank].value, instant);
}

TEST_P(EachRecording, DrawsSlicesThatDoNotOverlap) {
  const auto& [which, kind] = GetParam();
  const auto [record, recording] = recorded(which.scenario(), kind);
  int rank = -1;
  Seconds at_time;
  for (const auto& slice : recording.timeline->ranks()) {
    if (slice.rank != rank)
      at_time = {};
    rank = slice.rank;
    ASSERT_LE(slice.start, slice.end);
    if (slice.activity == Activity::arrival)
      continue;
    ASSERT_GE(slice.start.value, at_time.value - instant) << "rank " << rank;
    at_time = slice.end;
  }
  EXPECT_EQ(recording.timeline->rank_coverage().shown, recording.timeline->rank_coverage().all);
  std::map<std::uint32_t, std::uint32_t> open;
  for (const auto& load : recording.timeline->loads())
    open[load.channel] = load.transfers;
  for (const auto& [channel, transfers] : open)
    EXPECT_EQ(transfers, 0u) << channel;
}

INSTANTIATE_TEST_SUITE_P(All, EachRecording,
                         testing::Combine(testing::ValuesIn(cases),
                                          testing::Values(EngineKind::simgrid, EngineKind::fluid)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) == EngineKind::fluid ? "OnFluid" : "OnSimGrid");
                         });

std::vector<std::pair<Phase, double>> path_of(const Recording& recording) {
  std::vector<std::pair<Phase, double>> path;
  for (const auto& piece : recording.path.steps)
    path.emplace_back(piece.phase, std::round(1e6 * in_microseconds(piece.end - piece.start)) / 1e6);
  return path;
}

using Path = std::vector<std::pair<Phase, double>>;

void expect_times(const RankTimes& times, double compute, double overhead, double waiting, double transfer) {
  EXPECT_NEAR(in_microseconds(times.compute), compute, 1e-6);
  EXPECT_NEAR(in_microseconds(times.overhead), overhead, 1e-6);
  EXPECT_NEAR(in_microseconds(times.waiting), waiting, 1e-6);
  EXPECT_NEAR(in_microseconds(times.transfer), transfer, 1e-6);
}

// A message of 4000 B flows for 1 us behind 0.5 us of setup and latency.
TEST(CriticalPath, OfALateSenderGoesThroughTheSender) {
  StepProgram program{{{compute(10), send(1, 4000)}, {receive(0)}}};
  const auto [record, recording] = recorded(of(with_regimes(1), program, two), EngineKind::simgrid);
  EXPECT_EQ(path_of(recording), (Path{{Phase::compute, 10},
                                      {Phase::sender_core, 1},
                                      {Phase::prepare, 0.5},
                                      {Phase::flow, 1},
                                      {Phase::receiver_core, 0.5}}));
  expect_times(recording.ranks[0], 10, 1, 0, 0);
  expect_times(recording.ranks[1], 0, 0.5, 10, 1 + 0.5 + 1);
}

TEST(CriticalPath, OfALateReceiverGoesThroughTheReceiver) {
  StepProgram program{{{send(1, 4000)}, {compute(10), receive(0)}}};
  const auto [record, recording] = recorded(of(with_regimes(3), program, two), EngineKind::simgrid);
  EXPECT_EQ(path_of(recording), (Path{{Phase::compute, 10}, // then the grant, and the data
                                      {Phase::prepare, 0.3 + 2 * 0.2},
                                      {Phase::flow, 1},
                                      {Phase::receiver_core, 0.5}}));
  expect_times(recording.ranks[0], 0, 1, 10 - 1 - 0.2, 0.2 + 0.7 + 1);
  expect_times(recording.ranks[1], 10, 0.5, 0, 0.7 + 1);
}

TEST(CriticalPath, GoesThroughACoreThatIsBusyWithAnotherMessage) {
  StepProgram program{{{receive(1), receive(2)}, {send(0, 0)}, {send(0, 0)}}};
  const auto [record, recording] =
      recorded(of(with_regimes(1), program, {at(0, cpu0), at(1, cpu0), at(1, cpu0)}), EngineKind::simgrid);
  EXPECT_EQ(path_of(recording), (Path{{Phase::sender_core, 1},
                                      {Phase::prepare, 0.5},
                                      {Phase::receiver_core, 0.5}, // of both messages
                                      {Phase::receiver_core, 0.5}}));
}

TEST(CriticalPath, GoesThroughThePayloadInFrontAndTheGap) {
  auto first = send(1, 4000);
  first.kind = Step::Kind::isend;
  StepProgram program{{{first, first, wait_all()}, {receive(0), receive(0)}}};
  const auto [record, recording] = recorded(of(with_regimes(1, 5), program, two), EngineKind::simgrid);
  EXPECT_EQ(path_of(recording), (Path{{Phase::sender_core, 1},
                                      {Phase::prepare, 0.5},
                                      {Phase::flow, 1},
                                      {Phase::queue, 5},
                                      {Phase::flow, 1},
                                      {Phase::receiver_core, 0.5}}));
}

// Two ranks exchange messages, two others never meet them; few causes are kept.
TEST(CriticalPath, OfALongRunIsKeptInLittleMemory) {
  constexpr int rounds = 3000;
  StepProgram program;
  for (int rank = 0; rank < 4; ++rank) {
    auto& steps = program.steps.emplace_back();
    for (int i = 0; i < rounds; ++i) {
      const int other = rank ^ 1;
      if (rank % 2 == 0)
        steps.insert(steps.end(), {compute(rank == 0 ? 5 : 1), send(other, 4000), receive(other)});
      else
        steps.insert(steps.end(), {receive(other), send(other, 0)});
    }
  }
  const auto scenario = of(with_regimes(1), program, {at(0, cpu0), at(1, cpu0), at(0, cpu1), at(1, cpu1)});
  const auto planned = plan(scenario);
  ASSERT_TRUE(planned);
  const auto network = make_fluid_network(planned->topology->channels(), 0);
  Recording recording;
  recording.keep_path = true;
  Recorder recorder(recording, *network, *planned->ways, 4, nullptr, Causes(1000, 1000));
  Simulation simulation({.network = *network, .ways = *planned->ways, .ranks = 4, .recorder = &recorder});
  const auto job = make_job(program, make_place(*scenario.platform, scenario.ranks, scenario.mpi));
  for (int rank = 0; rank < 4; ++rank)
    simulation.set_program(rank, job.program(simulation.rank(rank)));
  ASSERT_TRUE(simulation.run());
  recorder.finish();
  EXPECT_TRUE(recording.path.steps.empty());
  EXPECT_NEAR(recording.path.log.time().value, simulation.duration().value, 1e-9 * simulation.duration().value);
  const auto totals = recording.path.log.totals();
  const auto computed = totals.find({Phase::compute, 0, 0, 0, 0, 0, {}, {}});
  ASSERT_NE(computed, totals.end());
  EXPECT_EQ(computed->second.steps, rounds);
  EXPECT_NEAR(in_microseconds(computed->second.time), 5.0 * rounds, 1e-3);
  EXPECT_FALSE(totals.contains({Phase::compute, 0, 0, 2, 2, 0, {}, {}}));
  EXPECT_LT(recording.path.log.groups().size(), 100u);
}

// A core that still works when its rank has ended is not of the rank's time.
TEST(RankTimes, EndWithTheRank) {
  StepProgram program{{{send(1, 0)}, {of_kind(receive(0), Step::Kind::irecv), compute(1.7)}}};
  const auto [record, recording] = recorded(of(with_regimes(1), program, two), EngineKind::simgrid);
  expect_times(recording.ranks[1], 1.7, 0, 0, 0);
  EXPECT_NEAR(in_microseconds(record.duration), 1.7, 1e-6);
}

} // namespace
} // namespace kakehashi
