// Whole runs through SimGrid, with times worked by hand.
#include "engine/mpi/results.hpp"
#include "engine/mpi/two_protocols.hpp"
#include "study/run/scenario_run.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace run_test {

// Two nodes of two cpus behind one link of 1 GB/s and 1 us. Eager below 10 kB, rendezvous from there on; overheads of
// 0.5 us and 0.25 us.
std::shared_ptr<Platform> two_nodes() {
  auto platform = std::make_shared<Platform>();
  platform->name = "two-nodes";
  platform->file = "p.json";
  platform->nodes = {"a", "b"};
  const auto device = [&](const char* name, DeviceKind kind, std::size_t node) {
    platform->devices.push_back({name, kind, node, std::nullopt});
  };
  device("a.cpu0", DeviceKind::cpu, 0);
  device("a.cpu1", DeviceKind::cpu, 0);
  device("b.cpu0", DeviceKind::cpu, 1);
  device("b.cpu1", DeviceKind::cpu, 1);
  device("a.nic", DeviceKind::nic, 0);
  device("b.nic", DeviceKind::nic, 1);
  add_link(*platform, 0, 4, link_type("pcie"), 100, {});
  add_link(*platform, 1, 4, link_type("pcie"), 100, {});
  add_link(*platform, 2, 5, link_type("pcie"), 100, {});
  add_link(*platform, 3, 5, link_type("pcie"), 100, {});
  add_link(*platform, 4, 5, link_type("ethernet"), 1, microseconds(1));
  platform->fabrics = {two_protocols()};
  return platform;
}

Step send(int to, std::uint64_t size, int tag = 0) {
  return {Step::Kind::send, to, {}, tag, Bytes{size}, {}, 0};
}
Step isend(int to, std::uint64_t size, int tag = 0) {
  return {Step::Kind::isend, to, {}, tag, Bytes{size}, {}, 0};
}
Step receive(std::optional<int> from, std::optional<int> tag = {}) {
  return {Step::Kind::recv, {}, from, tag, {}, {}, 0};
}
Step ireceive(std::optional<int> from, std::optional<int> tag = {}) {
  return {Step::Kind::irecv, {}, from, tag, {}, {}, 0};
}
Step exchange(int to, int from, std::uint64_t size) {
  return {Step::Kind::sendrecv, to, from, {}, Bytes{size}, {}, 0};
}
Step compute(double us) {
  return {Step::Kind::compute, {}, {}, {}, {}, microseconds(us), 0};
}
Step wait(int request) {
  return {Step::Kind::wait, {}, {}, {}, {}, {}, request};
}
Step wait_all() {
  return {Step::Kind::waitall, {}, {}, {}, {}, {}, 0};
}

Scenario scenario(std::vector<std::vector<Step>> steps, std::shared_ptr<Platform> platform = two_nodes(),
                  std::vector<std::size_t> ranks = {0, 2, 1, 3}) {
  Scenario scenario;
  scenario.name = "s";
  scenario.file = "s.json";
  scenario.platform = std::move(platform);
  scenario.fabric = "net";
  ranks.resize(steps.size());
  scenario.ranks = std::move(ranks);
  scenario.workload = StepProgram{std::move(steps)};
  return scenario;
}

// When each rank ends, in us.
std::vector<double> ends(const Scenario& scenario) {
  const auto record = run(scenario);
  if (!record) {
    ADD_FAILURE() << to_text(record.errors()[0]);
    return {};
  }
  std::vector<double> times;
  for (const auto end : ends_of(*record))
    times.push_back(in_microseconds(end));
  return times;
}

void expect_ends(const Scenario& scenario, const std::vector<double>& expected) {
  const auto found = ends(scenario);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t rank = 0; rank < found.size(); ++rank)
    EXPECT_NEAR(found[rank], expected[rank], 1e-6) << "rank " << rank;
}

TEST(Eager, SenderIsFreeAfterItsOverhead) {
  // 0.5 | 1 us trip, 1000 B at 1 GB/s | 0.25
  expect_ends(scenario({{send(1, 1000)}, {receive(0)}}), {0.5, 2.75});
}

TEST(Rendezvous, SenderIsFreeWhenThePayloadHasLeft) {
  // 0.5 | 3 trips, 20 us of payload | 0.25
  expect_ends(scenario({{send(1, 20000)}, {receive(0)}}), {23.5, 23.75});
}

TEST(Eager, ALateReceiverOnlyPaysItsOwnOverhead) {
  expect_ends(scenario({{send(1, 1000)}, {compute(100), receive(0)}}), {0.5, 100.25});
}

TEST(Rendezvous, ALateReceiverHoldsTheSenderBack) {
  // The request waits; from 100 us on: two further trips, the payload, the receiver's overhead.
  expect_ends(scenario({{send(1, 20000)}, {compute(100), receive(0)}}), {122, 122.25});
}

TEST(Contention, HalvesTheRatesOnASharedLink) {
  // Two flows of 20 us each alone, side by side over one link.
  expect_ends(scenario({{send(1, 20000)}, {receive(0)}, {send(3, 20000)}, {receive(2)}}), {43.5, 43.75, 43.5, 43.75});
}

TEST(Contention, IsNoneBetweenDirections) {
  expect_ends(scenario({{exchange(1, 1, 20000)}, {exchange(0, 0, 20000)}}), {23.75, 23.75});
}

TEST(Cap, LimitsAMessageBelowTheLink) {
  auto platform = two_nodes();
  platform->fabrics[0].rules[0].regimes[1].cap = gigabytes_per_second(0.5);
  expect_ends(scenario({{send(1, 20000)}, {receive(0)}}, platform), {43.5, 43.75});
}

TEST(Cap, OfTwoMessagesLeavesALinkThatIsWideEnoughUnshared) {
  auto platform = two_nodes();
  platform->fabrics[0].rules[0].regimes[1].cap = gigabytes_per_second(0.5);
  expect_ends(scenario({{send(1, 20000)}, {receive(0)}, {send(3, 20000)}, {receive(2)}}, platform),
              {43.5, 43.75, 43.5, 43.75});
}

TEST(Core, QueuesForTheOverheadsOfSeveralSends) {
  // Three isends keep the core for 1.5 us; payloads of 1 us follow one another at 1.5, 2.5 (core 2.0 + 1 trip = 3.0),
  // ... Arrivals: 0.5 + 1 + 1 = 2.5, 1.0 + 1 → starts 2.5, ends 3.5, then 4.5; the receiver adds 0.25 to the last.
  expect_ends(
      scenario({{isend(1, 1000), isend(1, 1000), isend(1, 1000), wait_all()}, {receive(0), receive(0), receive(0)}}),
      {1.5, 4.75});
}

TEST(Core, ComputesBeforeItHandlesWhatHasArrived) {
  expect_ends(scenario({{send(1, 1000)}, {ireceive(0), compute(50), wait_all()}}), {0.5, 50.25});
}

TEST(Gap, SeparatesThePayloadsOfOneConnection) {
  auto platform = two_nodes();
  platform->fabrics[0].rules[0].regimes[0].gap = microseconds(10);
  // The first payload ends at 2.5, the second starts 10 us later and takes 1 us.
  expect_ends(scenario({{isend(1, 1000), isend(1, 1000), wait_all()}, {receive(0), receive(0)}}, platform), {1, 13.75});
}

TEST(Gap, SeparatesThePayloadsOfOneSender) {
  auto platform = two_nodes();
  platform->fabrics[0].rules[0].regimes[0].gap = microseconds(10);
  // To another receiver the second starts 10 us after the start of the first, at 1.5.
  expect_ends(scenario({{isend(1, 1000), isend(2, 1000), wait_all()}, {receive(0)}, {receive(0)}}, platform, {0, 2, 3}),
              {1, 2.75, 12.75});
}

TEST(Eager, PayloadsOfOneConnectionKeepTheirOrder) {
  auto platform = two_nodes();
  auto& regimes = platform->fabrics[0].rules[0].regimes;
  regimes.insert(regimes.begin(), regimes.front());
  regimes[0].to = regimes[1].from = Bytes{1000};
  regimes[1].setup = microseconds(10);
  // The first payload flows from 11.5 to 16.5; the second, ready at 2 already, flows behind it for 0.9 us.
  expect_ends(scenario({{isend(1, 5000), isend(1, 900), wait_all()}, {receive(0), receive(0)}}, platform), {1, 17.65});
}

TEST(Matching, GoesByTag) {
  expect_ends(scenario({{send(1, 1000, 1), compute(10), send(1, 1000, 2)}, {receive(0, 2), receive(0, 1)}}),
              {11, 13.5});
}

TEST(Matching, TakesAnyTagAndAnySourceInOrderOfArrival) {
  // Rank 2 is at hand at 0 us, rank 0 only at 10 us; the first wildcard takes rank 2's.
  expect_ends(scenario({{compute(10), send(1, 1000)}, {receive({}), compute(100), receive({})}, {send(1, 1000)}}),
              {10.5, 103, 0.5});
}

TEST(Matching, KeepsTheOrderOfOneSenderEvenWhenARequestOvertakesAPayload) {
  // The eager payload of 9 us is on its way when the request of the second message arrives; the first receive must take
  // it.
  expect_ends(scenario({{isend(1, 9000), isend(1, 10000), wait_all()}, {receive(0), compute(100), receive(0)}}),
              {122.75, 123});
}

TEST(Requests, MayBeWaitedForInAnyOrder) {
  expect_ends(
      scenario({{isend(1, 20000), isend(1, 1000), wait(1), wait(0)}, {ireceive(0), ireceive(0), wait(1), wait(0)}}),
      {23.5, 23.75});
}

TEST(Requests, MayBeWaitedForTwice) {
  expect_ends(scenario({{isend(1, 1000), wait(0), wait_all()}, {ireceive(0), wait(0), wait(0)}}), {0.5, 2.75});
}

TEST(Deadlock, NamesRanksAndOperations) {
  const auto record = run(scenario({{send(1, 20000), receive(1)}, {send(0, 20000), receive(0)}, {}}));
  ASSERT_FALSE(record);
  EXPECT_EQ(record.errors()[0].kind, ErrorKind::run);
  EXPECT_EQ(
      to_text(record.errors()[0]),
      "s.json: deadlock after 1.500 us: 2 of 3 ranks wait for ever\n"
      "  rank 0: send of 20000 B to rank 1 (tag 0)\n"
      "  rank 1: send of 20000 B to rank 0 (tag 0)\n"
      "  2 ranks are in sends of up to 20000 B, which wait for their receives from 10000 B on "
      "here. A program that relies on MPI to buffer them needs a higher eager limit, and may deadlock with another "
      "library, too");
}

TEST(Plan, NeedsNoPathFromALoneRankToItself) {
  auto platform = two_nodes();
  platform->fabrics[0].rules[0].scope = Scope::between_nodes;
  expect_ends(scenario({{send(1, 1000)}, {receive(0)}}, platform), {0.5, 2.75});
}

Scenario benchmark(const char* name, std::vector<Bytes> sizes, std::vector<std::size_t> ranks = {0, 2}) {
  auto result = scenario({{}, {}});
  result.ranks = std::move(ranks);
  Benchmark benchmark;
  benchmark.name = name;
  benchmark.sizes = std::move(sizes);
  result.workload = benchmark;
  return result;
}

Figures only_row(const Scenario& scenario) {
  return run(scenario)->table.figures.at(0);
}

TEST(OsuLatency, IsHalfARoundTrip) {
  const auto row = only_row(benchmark("osu-latency", {Bytes{1000}}));
  EXPECT_NEAR(in_microseconds(row.t_avg), 2.75, 1e-6);
  EXPECT_EQ(row.repetitions, 10000);
}

TEST(ImbPingPong, CountsBytesOverTheOneWayTime) {
  const auto row = only_row(benchmark("imb-pingpong", {Bytes{1000}}));
  EXPECT_NEAR(in_microseconds(row.t_avg), 2.75, 1e-6);
  EXPECT_NEAR(row.rate, 1000 / 2.75, 1e-3);
  EXPECT_EQ(row.repetitions, 1000);
}

TEST(ImbSendrecv, CountsBothDirections) {
  const auto row = only_row(benchmark("imb-sendrecv", {Bytes{20000}}));
  EXPECT_NEAR(in_microseconds(row.t_avg), 23.75, 1e-6);
  EXPECT_NEAR(row.rate, 2 * 20000 / 23.75, 1e-3);
}

TEST(ImbExchange, CountsFourMessages) {
  const auto row = only_row(benchmark("imb-exchange", {Bytes{1000}}));
  // Both messages go to the one neighbour: overheads 0.5 and 1.0, payloads end at 2.5 and 3.5, then 0.25.
  EXPECT_NEAR(in_microseconds(row.t_avg), 3.75, 1e-6);
  EXPECT_NEAR(row.rate, 4 * 1000 / 3.75, 1e-3);
}

TEST(OsuBw, IsAWindowAndAnAnswer) {
  const auto row = only_row(benchmark("osu-bw", {Bytes{9000}}));
  // 0.5 + 1 trip, 64 payloads of 9 us, 0.25; the answer: 0.5 + 1 + 0.004 + 0.25.
  EXPECT_NEAR(row.rate, 64 * 9000 / (0.5 + 1 + 64 * 9 + 0.25 + 1.754), 1e-3);
}

TEST(OsuBibw, IsAWindowBothWays) {
  const auto row = only_row(benchmark("osu-bibw", {Bytes{9000}}));
  // The directions do not share the link; while payloads flow, cores have time for all overheads.
  EXPECT_NEAR(row.rate, 2 * 64 * 9000 / (0.5 + 1 + 64 * 9 + 0.25), 1);
}

TEST(Sendrecv, OverAChainOfFourRanksSharesTheLink) {
  const auto row = only_row(benchmark("imb-sendrecv", {Bytes{20000}}, {0, 2, 1, 3}));
  // a.0 → b.0 → a.1 → b.1 → a.0: two flows in each direction.
  EXPECT_NEAR(in_microseconds(row.t_max), 43.75, 1e-3);
}

TEST(Repetitions, StopWhenIterationsAreAlike) {
  auto osu = benchmark("osu-latency", {Bytes{1000}});
  const auto record = run(osu);
  EXPECT_LT(record->messages, 40u); // not 20000
}

TEST(Repetitions, AreNoMoreThanAsked) {
  auto osu = benchmark("osu-latency", {Bytes{1000}});
  std::get<Benchmark>(osu.workload).repetitions = 1;
  const auto record = run(osu);
  EXPECT_EQ(record->messages, 2u + 2 * 2); // the barrier, a warm-up and one iteration
  EXPECT_NEAR(in_microseconds(record->table.figures[0].t_avg), 2.75, 1e-6);
}

} // namespace run_test
} // namespace kakehashi
