// What shares memories, caches and NICs, with times worked by hand, on both engines.
#include "engine/mpi/results.hpp"
#include "engine/mpi/two_protocols.hpp"
#include "study/run/scenario_run.hpp"
#include "study/sweep/evaluation.hpp"

#include <gtest/gtest.h>
#include <map>

namespace kakehashi {
namespace memory_test {

// Two nodes of one cpu, 6 GB/s of memory and 1 KiB of cache. Inside a cpu each core copies a byte in 0.5 ns; between
// nodes a link of 2 GB/s each way.
std::shared_ptr<Platform> machine() {
  auto platform = std::make_shared<Platform>();
  platform->name = "m";
  platform->file = "p.json";
  platform->nodes = {"a", "b"};
  const Memory memory{gigabytes_per_second(6), {}, {}, Bytes{1024}, {}};
  platform->devices = {{"a.cpu", DeviceKind::cpu, 0, memory},
                       {"b.cpu", DeviceKind::cpu, 1, memory},
                       {"a.nic", DeviceKind::nic, 0, std::nullopt},
                       {"b.nic", DeviceKind::nic, 1, std::nullopt}};
  add_link(*platform, 0, 2, link_type("pcie"), 100, {});
  add_link(*platform, 1, 3, link_type("pcie"), 100, {});
  add_link(*platform, 2, 3, link_type("ethernet"), 2, {});
  Fabric net;
  net.name = "net";
  net.links = {link_type("pcie"), link_type("ethernet")};
  Rule inside;
  inside.scope = Scope::inside_device;
  inside.moved_by_cores = true;
  inside.regimes.resize(1);
  inside.regimes[0].send_per_byte = inside.regimes[0].receive_per_byte = all_kinds(SecondsPerByte{0.5e-9});
  Rule between;
  between.regimes.resize(1);
  net.rules = {inside, between};
  platform->fabrics = {net};
  return platform;
}

Step isend(int to, std::uint64_t size) {
  return {Step::Kind::isend, to, {}, 0, Bytes{size}, {}, 0};
}
Step send(int to, std::uint64_t size) {
  return {Step::Kind::send, to, {}, 0, Bytes{size}, {}, 0};
}
Step receive(int from) {
  return {Step::Kind::recv, {}, from, {}, {}, {}, 0};
}

// How long the whole run takes, in us: the same on both engines.
double duration(std::shared_ptr<const Platform> platform, std::vector<std::size_t> devices,
                std::vector<std::vector<Step>> steps) {
  Scenario scenario;
  scenario.name = "s";
  scenario.file = "s.json";
  scenario.platform = std::move(platform);
  scenario.fabric = "net";
  scenario.mpi = scenario.platform->mpi;
  scenario.ranks = std::move(devices);
  scenario.workload = StepProgram{std::move(steps)};
  return on_both_engines(scenario, [](const RunRecord& record) { return record.duration; });
}

std::vector<std::vector<Step>> pairs(int count, std::uint64_t size) {
  std::vector<std::vector<Step>> steps;
  for (int pair = 0; pair < count; ++pair) {
    steps.push_back({send(2 * pair + 1, size)});
    steps.push_back({receive(2 * pair)});
  }
  return steps;
}

// One core after the other, each at its own speed: the memory's 3 MB of traffic take 0.5 ms of that 1 ms.
TEST(SharedMemory, LetsAMessageAloneAtItsSpeed) {
  EXPECT_NEAR(duration(machine(), {0, 0}, pairs(1, 1'000'000)), 1000, 1e-2);
}

// 4 · 3 MB at 6 GB/s: twice as long as the cores need.
TEST(SharedMemory, SlowsWhatManyCoresCopy) {
  EXPECT_NEAR(duration(machine(), std::vector<std::size_t>(8, 0), pairs(4, 1'000'000)), 2000, 1e-2);
}

// Of those 12 MB the senders' copies load the memory with a quarter, and those of the receivers with the rest.
TEST(SharedMemory, IsLoadedByEachEndsPartOfACopy) {
  auto platform = machine();
  platform->fabrics[0].rules[0].regimes[0].send_per_byte = all_kinds(SecondsPerByte{0.25e-9});
  platform->fabrics[0].rules[0].regimes[0].receive_per_byte = all_kinds(SecondsPerByte{0.75e-9});
  EXPECT_NEAR(duration(platform, std::vector<std::size_t>(8, 0), pairs(4, 1'000'000)), 2000, 1e-2);
}

// Into a buffer and out of it: 4 · 6 MB.
TEST(SharedMemory, IsPassedTwiceThroughABuffer) {
  auto platform = machine();
  platform->fabrics[0].rules[0].copies = 2;
  EXPECT_NEAR(duration(platform, std::vector<std::size_t>(8, 0), pairs(4, 1'000'000)), 4000, 1e-2);
}

// The buffer is in the sender's memory, which so has 4 bytes of traffic for each: 4 · 4 MB.
TEST(SharedMemory, HasTheBufferWhereTheSenderIs) {
  auto platform = machine();
  platform->devices[1].node = 0;
  add_link(*platform, 0, 1, link_type("qpi"), 100, {});
  auto& net = platform->fabrics[0];
  net.links.push_back(link_type("qpi"));
  net.rules[0].scope = Scope::inside_node;
  net.rules[0].copies = 2;
  EXPECT_NEAR(duration(platform, {0, 1, 0, 1, 0, 1, 0, 1}, pairs(4, 1'000'000)), 16e6 / 6e9 * 1e6, 1e-2);
}

TEST(SharedMemory, IsNotLoadedByWhatFitsInCaches) {
  auto platform = machine();
  platform->devices[0].memory->cache = Bytes{16'000'000}; // eight ranks use a message and its copy
  EXPECT_NEAR(duration(platform, std::vector<std::size_t>(8, 0), pairs(4, 1'000'000)), 1000, 1e-2);
  platform->devices[0].memory->cache = Bytes{10'666'667}; // half of it loads the memory, which just suffices
  EXPECT_NEAR(duration(platform, std::vector<std::size_t>(8, 0), pairs(4, 1'000'000)), 1000, 1);
}

// Four pairs that copy within caches share what the device's cores have: each 1.33 times the 1 GB/s of a lone message.
TEST(SharedMemory, CachesHaveARateForAllCores) {
  auto platform = machine();
  platform->devices[0].memory->cache = Bytes{16'000'000};
  platform->devices[0].cores = 4;
  const double wanted = 4 * 4e6; // bytes, through a buffer: read and written twice
  EXPECT_NEAR(duration(platform, std::vector<std::size_t>(8, 0), pairs(4, 1'000'000)), wanted / (4 * 1.33e9) * 1e6,
              1e-2);
}

// A core that caches give less than a lone message moves is the one on which its time was measured.
TEST(SharedMemory, OfFewCoresLetsAMessageAloneAtItsSpeed) {
  for (const int cores : {1, 2, 3, 8}) {
    auto platform = machine();
    for (const std::size_t device : {0, 1}) {
      platform->devices[device].memory->cache = Bytes{16'000'000};
      platform->devices[device].cores = cores;
    }
    EXPECT_NEAR(duration(platform, {0, 0}, pairs(1, 1'000'000)), 1000, 1e-2) << cores;
    EXPECT_NEAR(duration(platform, {0, 0}, pairs(1, 1000)), 1, 1e-3) << cores;
    platform->devices[1].node = 0; // another socket
    add_link(*platform, 0, 1, link_type("qpi"), 100, {});
    platform->fabrics[0].links.push_back(link_type("qpi"));
    platform->fabrics[0].rules[0].scope.reset();
    EXPECT_NEAR(duration(platform, {0, 1}, pairs(1, 1'000'000)), 1000, 1e-2) << cores;
  }
}

// One core has nothing to spare beside a message: four of them follow one another.
TEST(SharedMemory, OfOneCoreIsSharedByMessages) {
  auto platform = machine();
  platform->devices[0].memory->cache = Bytes{16'000'000};
  platform->devices[0].cores = 1;
  EXPECT_NEAR(duration(platform, std::vector<std::size_t>(8, 0), pairs(4, 1'000'000)), 4000, 1e-2);
}

// 1 MB at 2 GB/s is 0.5 ms; with a core of b copying 1 MB to a third rank there, each of both flows has what it needs.
// Memory of 2.5 GB/s gives 1 GB/s to what arrives and 1.5 to the copy's traffic when both are there.
TEST(SharedMemory, IsSharedByWhatArrives) {
  auto platform = machine();
  EXPECT_NEAR(duration(platform, {0, 1}, {{send(1, 1'000'000)}, {receive(0)}}), 500, 1e-2);
  platform->devices[1].memory->bandwidth = gigabytes_per_second(1);
  EXPECT_NEAR(duration(platform, {0, 1}, {{send(1, 1'000'000)}, {receive(0)}}), 1000, 1e-2);
}

// From seven and a half sixteenths of the 2 MB that miss the sender's caches.
TEST(SharedMemory, IsLoadedByWhatArrivesFromAboutHalfOn) {
  const auto time = [](double missing) {
    auto platform = machine();
    platform->devices[0].memory->cache = Bytes{static_cast<std::uint64_t>(2e6 / (1 + missing))};
    platform->devices[1].memory->bandwidth = gigabytes_per_second(1);
    return duration(platform, {0, 1}, {{send(1, 1'000'000)}, {receive(0)}});
  };
  EXPECT_NEAR(time(0.467), 500, 1e-2);
  EXPECT_NEAR(time(0.470), 1000, 1e-2);
}

// Over two cables of 40 GB/s a node sends and receives 160 GB/s, of which its memory carries 80.
TEST(SharedMemory, ActsAsStatedWhereItIsAssumed) {
  auto platform = machine();
  for (const std::size_t cpu : {0, 1})
    platform->devices[cpu].memory.reset();
  platform->links.clear();
  for (const auto* name : {"a.nic2", "b.nic2"})
    platform->devices.push_back({name, DeviceKind::nic, name[0] == 'a' ? 0u : 1u});
  for (const std::size_t nic : {2, 3, 4, 5})
    add_link(*platform, nic % 2, nic, link_type("pcie"), 40, {});
  add_link(*platform, 2, 3, link_type("ethernet"), 40, {});
  add_link(*platform, 4, 5, link_type("ethernet"), 40, {});
  platform->fabrics[0].gateways = {"nic", "nic2"};
  platform->fabrics[0].stripes_from = Bytes{1000};
  const auto both_ways = [&] {
    return duration(platform, {0, 0, 1, 1}, {{send(2, 80'000'000)}, {receive(3)}, {receive(0)}, {send(1, 80'000'000)}});
  };
  EXPECT_NEAR(both_ways(), 1000, 1e-2); // without memories
  assume_memories(*platform);
  EXPECT_EQ(platform->devices[0].memory->usual, (Source{SourceKind::assumed, "80 GB/s, 20 MiB of cache"}));
  EXPECT_NEAR(both_ways(), 2000, 1e-2);
  for (const std::size_t cpu : {0, 1})
    platform->devices[cpu].memory = Memory{gigabytes_per_second(80), {}, {}, Bytes{20 << 20}, {}};
  EXPECT_NEAR(both_ways(), 2000, 1e-2);
}

Program send_one(Rank& rank) {
  co_await rank.send(1, Bytes{8});
}
Program work_behind_a_message(Rank& rank) {
  const auto message = co_await rank.ireceive(0);
  co_await rank.wait(co_await rank.icompute(microseconds(5)));
  co_await rank.compute(microseconds(10), Bytes{60'000}); // 6 GB/s
  co_await rank.wait(message);
}

// A message keeps the core for 100 us, so the work of 10 us is done 10 us behind it, though its rank comes to it after
// 5 us and the memory is free.
TEST(SharedMemory, DoesNotEndWorkThatTheCoreHasNotBegun) {
  auto platform = machine();
  platform->fabrics[0].rules[1].regimes[0].receive_overhead = all_kinds(microseconds(100));
  const auto planned = plan(platform, "net", {0, 1});
  Job job;
  job.program = [](Rank& rank) { return rank.id == 0 ? send_one(rank) : work_behind_a_message(rank); };
  job.table = [](const JobEnd&) { return Table{}; };
  const auto done = run(job, nullptr, *planned, {EngineKind::fluid});
  ASSERT_TRUE(done);
  EXPECT_NEAR(in_microseconds(done->end.duration), 110, 0.1);
}

// A rule without times and cap: a core copies 10 GB/s.
TEST(SharedMemory, NothingMovesAtOnceInsideADevice) {
  auto platform = machine();
  platform->devices[0].memory.reset();
  platform->fabrics[0].rules[0].regimes[0] = {};
  EXPECT_NEAR(duration(platform, {0, 0}, pairs(1, 1'000'000)), 100, 1e-2);
}

// Both ranks of a node send four messages of 8 B; a NIC takes one in 10 us, so the last one leaves after 7 intervals.
TEST(Nic, HasARateOfMessagesForAllRanksOfItsNode) {
  auto platform = machine();
  const std::vector<std::size_t> ranks{0, 0, 1, 1};
  const std::vector<std::vector<Step>> steps{{isend(2, 8), isend(2, 8), isend(2, 8), send(2, 8)},
                                             {isend(3, 8), isend(3, 8), isend(3, 8), send(3, 8)},
                                             {receive(0), receive(0), receive(0), receive(0)},
                                             {receive(1), receive(1), receive(1), receive(1)}};
  const auto without = duration(platform, ranks, steps);
  EXPECT_LT(without, 1);
  platform->devices[2].message_rate = 1e5;
  EXPECT_NEAR(duration(platform, ranks, steps), 70, 0.1);
  platform->devices[2].message_rate = 0;
  platform->devices[3].message_rate = 2e5; // that receives
  EXPECT_NEAR(duration(platform, ranks, steps), 35, 0.1);
}

// The fast one that receives has its turn behind the slow one that sends.
TEST(Nic, ReceivesWhatIsSent) {
  auto platform = machine();
  platform->devices[2].message_rate = 1e5;
  platform->devices[3].message_rate = 1e9;
  EXPECT_NEAR(duration(platform, {0, 1}, {std::vector(4, isend(1, 8)), std::vector(4, receive(0))}), 30, 0.1);
}

// A hundred messages each way: a NIC that takes one in 10 us is done with both directions after 99 intervals, whatever
// the other one states.
TEST(Nic, SendsAndReceivesAtOnce) {
  const auto time = [](double rate, double rate_of_other) {
    auto platform = machine();
    platform->devices[2].message_rate = rate;
    platform->devices[3].message_rate = rate_of_other;
    std::vector<std::vector<Step>> steps(2);
    for (const int rank : {0, 1}) {
      auto& of_rank = steps[static_cast<std::size_t>(rank)];
      of_rank.assign(100, isend(1 - rank, 8));
      of_rank.insert(of_rank.end(), 100, receive(1 - rank));
    }
    return duration(platform, {0, 1}, steps);
  };
  EXPECT_NEAR(time(1e5, 0), 990, 0.1);
  EXPECT_NEAR(time(0, 1e5), 990, 0.1);
  EXPECT_NEAR(time(1e5, 1e9), 990, 0.1);
}

// Three ranks send to b, whose NIC takes one message in 10 us. Their own NIC sends one each microsecond, so that the
// message of a fourth rank, to c, leaves after 3 us. Then c works for 100 us.
TEST(Nic, SendsToOthersWhileOneReceiverIsBusy) {
  auto platform = machine();
  platform->nodes.push_back("c");
  platform->devices.push_back({"c.cpu", DeviceKind::cpu, 2, platform->devices[0].memory});
  platform->devices.push_back({"c.nic", DeviceKind::nic, 2, std::nullopt});
  add_link(*platform, 4, 5, link_type("pcie"), 100, {});
  add_link(*platform, 2, 5, link_type("ethernet"), 2, {});
  platform->devices[2].message_rate = 1e6;
  platform->devices[3].message_rate = 1e5;
  const Step work{Step::Kind::compute, {}, {}, 0, {}, microseconds(100), 0};
  EXPECT_NEAR(duration(platform, {0, 0, 0, 0, 1, 4},
                       {{send(4, 8)},
                        {send(4, 8)},
                        {send(4, 8)},
                        {send(5, 8)},
                        {receive(0), receive(1), receive(2)},
                        {receive(3), work}}),
              103, 0.1);
}

// 1 MB each way at 2 GB/s is 0.5 ms; 2 GB/s for both directions make it 1 ms.
TEST(Nic, MayHaveLessForBothDirectionsTogether) {
  auto platform = machine();
  const std::vector<std::vector<Step>> both{{isend(1, 1'000'000), receive(1)}, {isend(0, 1'000'000), receive(0)}};
  EXPECT_NEAR(duration(platform, {0, 1}, both), 500, 1e-2);
  platform->devices[2].duplex_bandwidth = gigabytes_per_second(2);
  EXPECT_NEAR(duration(platform, {0, 1}, both), 1000, 1e-2);
}

// As machine(), with a second NIC in each node; links to NICs have 4 GB/s, those between nodes 2.
std::shared_ptr<Platform> rails() {
  auto platform = machine();
  platform->devices.push_back({"a.nic2", DeviceKind::nic, 0});
  platform->devices.push_back({"b.nic2", DeviceKind::nic, 1});
  platform->links.clear();
  for (const std::size_t nic : {2, 3, 4, 5})
    add_link(*platform, nic % 2, nic, link_type("pcie"), 4, {});
  add_link(*platform, 2, 3, link_type("ethernet"), 2, {});
  add_link(*platform, 4, 5, link_type("ethernet"), 2, {});
  for (const std::size_t cpu : {0, 1})
    platform->devices[cpu].memory.reset();
  platform->fabrics[0].gateways = {"nic", "nic2"};
  return platform;
}

// At 2 GB/s a lone message of 999 B takes 499.5 ns; one of 1001 B half as long, since its larger part has 501 B.
TEST(Stripes, FlowOverAllGatewaysAtOnce) {
  auto platform = rails();
  const auto time = [&](std::uint64_t size) { return duration(platform, {0, 1}, {{send(1, size)}, {receive(0)}}); };
  EXPECT_NEAR(time(1001), 0.5005, 1e-4);
  platform->fabrics[0].stripes_from = Bytes{1000};
  EXPECT_NEAR(time(999), 0.4995, 1e-4);
  EXPECT_NEAR(time(1001), 0.2505, 1e-4);
  const auto both = duration(platform, {0, 1}, {{send(1, 999), send(1, 1001)}, {receive(0), receive(0)}});
  EXPECT_NEAR(both, 0.4995 + 0.2505, 1e-4);                               // in one run each has its own way
  platform->fabrics[0].rules[1].regimes[0].cap = gigabytes_per_second(1); // of each stripe
  EXPECT_NEAR(time(1'000'000), 500, 1e-2);
  platform->devices[0].memory = Memory{gigabytes_per_second(1), {}, {}, Bytes{1024}, {}}; // both read it
  EXPECT_NEAR(time(1'000'000), 1000, 1e-2);
}

// The part of 500 kB on the second cable, at 0.5 GB/s; no adapter passes it on to the first cable.
TEST(Stripes, AreAsFastAsTheSlowest) {
  auto platform = rails();
  platform->fabrics[0].stripes_from = Bytes{1000};
  platform->links.back().bandwidth = gigabytes_per_second(0.5);
  EXPECT_NEAR(duration(platform, {0, 1}, {{send(1, 1'000'000)}, {receive(0)}}), 1000, 1e-2);
}

TEST(Stripes, HaveTheLatencyOfTheSlowest) {
  for (const std::size_t slow : {4, 5}) { // the first or the second cable
    auto platform = rails();
    platform->fabrics[0].stripes_from = Bytes{1000};
    platform->links[slow].latency = microseconds(30);
    EXPECT_NEAR(duration(platform, {0, 1}, {{send(1, 1'000'000)}, {receive(0)}}), 280, 1e-2);
  }
}

// Four messages at 100,000 a second: the last one leaves three intervals after the first.
TEST(Stripes, CountAsAMessageOfTheFirstGateways) {
  const auto time = [](std::size_t nic) {
    auto platform = rails();
    platform->fabrics[0].stripes_from = Bytes{1};
    platform->devices[nic].message_rate = 1e5;
    return duration(platform, {0, 1}, {std::vector(4, isend(1, 8)), std::vector(4, receive(0))});
  };
  for (const std::size_t first : {2, 3})
    EXPECT_NEAR(time(first), 30, 0.1);
  for (const std::size_t second : {4, 5})
    EXPECT_LT(time(second), 1);
}

// Two messages on two rails have what each would have on one.
TEST(Stripes, ShareTheGateways) {
  auto platform = rails();
  platform->fabrics[0].stripes_from = Bytes{1000};
  EXPECT_NEAR(
      duration(platform, {0, 0, 1, 1}, {{send(2, 1'000'000)}, {send(3, 1'000'000)}, {receive(0)}, {receive(1)}}), 500,
      1e-2);
}

TEST(Stripes, NeedTwoGateways) {
  auto platform = rails();
  Topology topology(*platform);
  EXPECT_EQ(topology.stripes(platform->fabrics[0], 0, 1).size(), 2u);
  platform->fabrics[0].gateways = {"nic"};
  EXPECT_TRUE(topology.stripes(platform->fabrics[0], 0, 1).empty());
  platform->fabrics[0].gateways = {"nic", "nic2"};
  platform->links.back().to = 3; // nothing leads to b's second one
  Topology without(*platform);
  EXPECT_TRUE(without.stripes(platform->fabrics[0], 0, 1).empty());
}

// A rendezvous payload of 1 MB in two stripes of 2 GB/s takes at least 250 us, in one 500 us.
TEST(Stripes, AreKnownToBounds) {
  auto platform = rails();
  platform->fabrics[0].rules[1].regimes[0].trips = 3;
  Scenario scenario;
  scenario.platform = platform;
  scenario.fabric = platform->fabrics[0].name;
  scenario.ranks = {0, 1};
  Benchmark benchmark;
  benchmark.name = "imb-sendrecv";
  benchmark.sizes = {Bytes{1'000'000}};
  scenario.workload = benchmark;
  const auto least = [&] { return Bound(scenario, std::nullopt, Objective::time).of(scenario.ranks) * 1e6; };
  EXPECT_NEAR(least(), 500, 1e-6);
  platform->fabrics[0].stripes_from = Bytes{1000};
  EXPECT_NEAR(least(), 250, 1e-6);
}

// What channels carry in a run, by their names.
std::map<std::string, double> carried(std::shared_ptr<const Platform> platform, std::vector<std::size_t> devices,
                                      std::vector<std::vector<Step>> steps) {
  Scenario scenario;
  scenario.platform = std::move(platform);
  scenario.fabric = "net";
  scenario.mpi = scenario.platform->mpi;
  scenario.ranks = std::move(devices);
  scenario.workload = StepProgram{std::move(steps)};
  const auto planned = plan(scenario, {.kind = EngineKind::fluid, .tolerance = 0});
  Recording recording;
  EXPECT_TRUE(run(scenario, *planned, &recording));
  std::map<std::string, double> bytes;
  for (std::size_t channel = 0; channel < recording.channel_bytes.size(); ++channel)
    if (recording.channel_bytes[channel] > 0)
      bytes[planned->topology->channels()[channel].name] = recording.channel_bytes[channel];
  return bytes;
}

TEST(Stripes, AreWhatEachGatewayCarries) {
  auto platform = rails();
  platform->fabrics[0].stripes_from = Bytes{1000};
  const std::map<std::string, double> halves{{"a.cpu-a.nic>", 5e5},   {"a.cpu-a.nic2>", 5e5}, {"a.nic-b.nic>", 5e5},
                                             {"a.nic2-b.nic2>", 5e5}, {"b.cpu-b.nic<", 5e5},  {"b.cpu-b.nic2<", 5e5}};
  EXPECT_EQ(carried(platform, {0, 1}, {{send(1, 1'000'000)}, {receive(0)}}), halves);
}

// The link between two sockets carries all bytes, their memories what copies read, fetch and write.
TEST(SharedMemory, IsLoadedByCopiesAsLinksAre) {
  auto platform = machine();
  platform->devices[1].name = "a.cpu2";
  platform->devices[1].node = 0;
  platform->links.clear();
  add_link(*platform, 0, 1, link_type("qpi"), 10, {});
  auto& net = platform->fabrics[0];
  net.links = {link_type("qpi")};
  net.rules[0].scope.reset();
  const std::map<std::string, double> bytes{{"a.cpu-a.cpu2>", 1e6}, {"a.cpu:memory", 1e6}, {"a.cpu2:memory", 2e6}};
  EXPECT_EQ(carried(platform, {0, 1}, {{send(1, 1'000'000)}, {receive(0)}}), bytes);
}

// To the NIC and back at 4 GB/s; both directions of all messages share the link.
TEST(LoopBack, GoesThroughTheNic) {
  auto platform = rails();
  platform->fabrics[0].loop_back = true;
  platform->fabrics[0].gateways = {"nic"};
  platform->fabrics[0].rules.erase(platform->fabrics[0].rules.begin());
  EXPECT_NEAR(duration(platform, {0, 0}, pairs(1, 1'000'000)), 250, 1e-2);
  EXPECT_NEAR(duration(platform, {0, 0, 0, 0}, pairs(2, 1'000'000)), 500, 1e-2);
}

// Destinations choose among both rails, or all take the first.
TEST(EqualWays, AreSpreadOrOne) {
  auto platform = rails();
  Topology topology(*platform);
  const auto& spread = platform->fabrics[0];
  auto one = spread;
  one.spread = false;
  EXPECT_NE(topology.route(spread, 0, 1)->links, topology.route(spread, 1, 0)->links);
  EXPECT_EQ(topology.route(one, 0, 1)->links, (std::vector<std::size_t>{0, 4, 1}));
  EXPECT_EQ(topology.route(one, 1, 0)->links, (std::vector<std::size_t>{1, 4, 0}));
}

// A cpu of four cores, of which two share a cache of the last level; between the caches pass 0.25 GB/s.
std::shared_ptr<Platform> with_domains() {
  auto platform = machine();
  auto& cpu = platform->devices[0];
  cpu.cores = 4;
  cpu.memory->cache = Bytes{64 << 10};
  cpu.memory->cache_domain = 2;
  cpu.memory->domain_rate = gigabytes_per_second(0.25);
  platform->mpi.full_node_factor = 1;
  return platform;
}

// Eager messages pass through a buffer: 4 kB take 4 us of two cores, and 16 us between caches.
TEST(CacheDomains, LimitWhatIsWrittenByOneAndReadByAnother) {
  const auto time = [](int to, const std::shared_ptr<Platform>& platform) {
    std::vector<std::vector<Step>> steps(4);
    steps[0] = {send(to, 4000)};
    steps[static_cast<std::size_t>(to)] = {receive(0)};
    return duration(platform, std::vector<std::size_t>(4, 0), steps);
  };
  EXPECT_NEAR(time(1, with_domains()), 4, 1e-2);
  EXPECT_NEAR(time(2, with_domains()), 16, 1e-2);
  auto platform = with_domains();
  platform->devices[0].memory->domain_rate.reset();
  EXPECT_NEAR(time(2, platform), 4, 1e-2);
  platform = with_domains(); // what is read where it lies, and nobody has modified, is in memory or in both caches
  platform->mpi.single_copy_from = Bytes{1000};
  EXPECT_NEAR(time(2, platform), 4, 1e-2);
}

// 4 kB take 4 us of two cores; after 100 us of work each end takes half of after_work and 0.4 us for its bytes more.
TEST(SharedMemory, TakesLongerAfterWork) {
  const auto time = [](Seconds work, bool is_after) {
    auto platform = machine();
    platform->mpi.full_node_factor = 1;
    if (is_after) {
      platform->mpi.after_work = microseconds(6);
      platform->mpi.after_work_copy = SecondsPerByte{0.1e-9};
    }
    const Step step{Step::Kind::compute, {}, {}, 0, {}, work, 0};
    return duration(platform, {0, 0}, {{step, send(1, 4000)}, {step, receive(0)}}) - work.value * 1e6;
  };
  const double lone = time(microseconds(100), false);
  EXPECT_NEAR(time({}, true), lone, 1e-6);
  EXPECT_NEAR(time(microseconds(100), true), lone + 2 * (3 + 0.4), 1e-6);
  EXPECT_NEAR(time(microseconds(300), true), lone + 2 * (6 + 0.4), 1e-6);
}

// A rank's share of the cache is 16 KiB, so 14 kB that come and go are not in it any more.
TEST(CacheDomains, DoNotLimitWhatHasLeftTheCache) {
  std::vector<std::vector<Step>> steps(4);
  steps[0] = {send(2, 14000)};
  steps[2] = {receive(0)};
  EXPECT_NEAR(duration(with_domains(), std::vector<std::size_t>(4, 0), steps), 14, 0.1 * 14);
}

TEST(CacheDomains, AreFilledInOrderOrInTurn) {
  const auto domains = [](CoreOrder order) {
    const auto platform = with_domains();
    platform->devices[0].numa_domains = 2;
    Topology topology(*platform);
    const WayTable ways(*platform, topology, platform->fabrics[0], std::vector<std::size_t>(4, 0), usual_lanes(),
                        order);
    std::vector<std::size_t> found;
    for (int rank = 0; rank < 4; ++rank)
      found.push_back(ways.domain_of(rank));
    return found;
  };
  EXPECT_EQ(domains(CoreOrder::block), (std::vector<std::size_t>{0, 0, 1, 1}));
  EXPECT_EQ(domains(CoreOrder::over_caches), (std::vector<std::size_t>{0, 1, 0, 1}));
  EXPECT_EQ(domains(CoreOrder::over_numa), (std::vector<std::size_t>{0, 1, 0, 1}));
}

} // namespace memory_test
} // namespace kakehashi
