// Limited legs, stages and one-sided operations through SimGrid, with times worked by hand.
#include "engine/mpi/peer_platform.hpp"
#include "engine/mpi/results.hpp"
#include "engine/mpi/two_protocols.hpp"
#include "study/run/scenario_run.hpp"
#include "topology/peer_leg.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace peer;

// When the last rank ends, in us.
double duration(const Scenario& scenario) {
  const auto record = run(scenario);
  if (!record) {
    ADD_FAILURE() << to_text(record.errors()[0]);
    return 0;
  }
  return in_microseconds(record->duration);
}

double one_way(std::size_t from, std::size_t to, std::uint64_t size, const char* fabric = "net") {
  return duration(pairs(platform(), {from, to}, size, fabric));
}

TEST(Leg, OfAnHcaThatCrossesASocketLimitsTheWholeWay) {
  // read by the HCA: 1 | 1000 B at 0.5 GB/s | 0.5
  EXPECT_NEAR(one_way(at(0, far_mic), at(1, cpu0), 1000), 1 + 2 + 0.5, 1e-6);
  // written by the HCA: its own direction, its own limit
  EXPECT_NEAR(one_way(at(0, cpu0), at(1, far_mic), 1000), 1 + 4 + 0.5, 1e-6);
}

TEST(Leg, IsPassedAfterTheOneBeforeIt) {
  // 1000 B at 0.5 GB/s, then at 0.25 GB/s
  EXPECT_NEAR(one_way(at(0, far_mic), at(1, far_mic), 1000), 1 + 2 + 4 + 0.5, 1e-6);
}

TEST(Leg, IsNotLimitedOnTheHcasOwnSocket) {
  EXPECT_NEAR(one_way(at(0, near_mic), at(1, near_mic), 1000), 1 + 0.25 + 0.5, 1e-6);
}

TEST(Leg, OfACpuIsNone) {
  EXPECT_NEAR(one_way(at(0, cpu0), at(0, far_mic), 1000), 1 + 0.1 + 0.5, 1e-6);
  EXPECT_NEAR(one_way(at(0, cpu1), at(1, cpu1), 1000), 1 + 0.25 + 0.5, 1e-6);
}

TEST(Leg, BetweenCoprocessorsTakesTheFirstLimitThatFits) {
  EXPECT_NEAR(one_way(at(0, near_mic), at(0, far_mic), 1000), 1 + 1 + 0.5, 1e-6);
  auto without_crossing = platform();
  without_crossing->peer_limits.erase(without_crossing->peer_limits.begin() + 2);
  EXPECT_NEAR(duration(pairs(without_crossing, {at(0, near_mic), at(0, far_mic)}, 1000)), 1 + 0.5 + 0.5, 1e-6);
}

TEST(Leg, IsSharedByTheMessagesOfItsPairOnly) {
  // both from the same pair of devices: half the rate each
  EXPECT_NEAR(duration(pairs(platform(), {at(0, near_mic), at(0, far_mic), at(0, near_mic), at(0, far_mic)}, 1000)),
              1 + 2 + 0.5, 1e-6);
}

TEST(Leg, HasADirection) {
  EXPECT_NEAR(duration(pairs(platform(), {at(0, near_mic), at(0, far_mic), at(0, far_mic), at(0, near_mic)}, 1000)),
              1 + 1 + 0.5, 1e-6);
}

TEST(Leg, MayBeLimitedForBothDirectionsTogether) {
  auto made = platform();
  made->peer_limits[2].both = gigabytes_per_second(1.25);
  EXPECT_NEAR(duration(pairs(made, {at(0, near_mic), at(0, far_mic)}, 1000)), 1 + 1 + 0.5, 1e-6); // at 1 GB/s alone
  EXPECT_NEAR(duration(pairs(made, {at(0, near_mic), at(0, far_mic), at(0, far_mic), at(0, near_mic)}, 1000)),
              1 + 1.6 + 0.5, 1e-6);
}

// A node with two coprocessors under a PCIe switch, or one in each of two nodes whose CPUs are joined.
TEST(Leg, NeedsASocketOfOneNodeBetweenItsDevices) {
  const auto legs_of = [](DeviceKind middle, bool same_node) {
    auto machine = *platform();
    machine.devices = {{"a.mic0", DeviceKind::coprocessor, 0, {}},
                       {"a.middle", middle, 0, {}},
                       {"a.mic1", DeviceKind::coprocessor, same_node ? 0 : 1, {}}};
    machine.links.clear();
    add_link(machine, 0, 1, link_type("pcie"), 1, {});
    add_link(machine, 1, 2, link_type("pcie"), 1, {});
    auto forwarded = machine.fabrics[0];
    forwarded.forwarded = true; // the socket reads and writes, and no device reaches another one
    const std::array<std::size_t, 2> directions{0, 2};
    EXPECT_TRUE(peer_legs(machine, forwarded, directions, 2, Side::sender).empty());
    return peer_legs(machine, machine.fabrics[0], directions, 2, Side::sender).size();
  };
  EXPECT_EQ(legs_of(DeviceKind::cpu, true), 1u);
  EXPECT_EQ(legs_of(DeviceKind::network_switch, true), 0u);
  EXPECT_EQ(legs_of(DeviceKind::cpu, false), 0u);
}

// An adapter reads two coprocessors across QPI, at 0.5 GB/s each or together.
TEST(Leg, MayShareItsLimitWithAllOfItsRequester) {
  auto made = platform();
  made->devices.push_back({"a.far2", DeviceKind::coprocessor, 0, std::nullopt});
  const auto second = made->devices.size() - 1;
  add_link(*made, at(0, cpu1), second, link_type("pcie"), 10, {});
  const std::vector<std::size_t> ends{at(0, far_mic), at(1, near_mic), second, at(1, cpu0)};
  EXPECT_NEAR(duration(pairs(made, ends, 40000)), 1.5 + 80, 1e-6);
  made->peer_limits[0].shared = true;
  EXPECT_NEAR(duration(pairs(made, ends, 40000)), 1.5 + 160, 1e-6);
}

TEST(Leg, CountsInTheRateOfAWay) {
  const auto machine = platform();
  Topology topology(*machine);
  const auto choices = topology.choices(machine->fabrics[0], at(0, far_mic), at(1, far_mic));
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_NEAR(choices[0].rate.value, 1 / (1 / 0.5e9 + 1 / 0.25e9), 1);
}

// far –(up)→ cpu0 –(net)→ remote cpu0 –(up)→ far: 1 us and 0.5 us of cores in every stage.
std::shared_ptr<Platform> with_stages(std::optional<Bytes> chunk) {
  auto made = platform();
  add_stages(*made, chunk);
  return made;
}

// Two messages between the same two nodes. Up and down each takes 5.5 us, between the hosts 1 us, 10 us and 0.5 us.
TEST(Stages, WaitForAThreadOfTheHostBetween) {
  auto made = with_stages({});
  const std::vector<std::size_t> ends{at(0, far_mic), at(1, far_mic), at(0, near_mic), at(1, near_mic)};
  EXPECT_NEAR(duration(pairs(made, ends, 40000, "staged")), 5.5 + 2 * 11.5 + 5.5, 1e-6);
  for (auto& device : made->devices)
    device.stage_threads = 2; // which share the link between the hosts
  EXPECT_NEAR(duration(pairs(made, ends, 40000, "staged")), 5.5 + 1 + 20 + 0.5 + 5.5, 1e-6);
}

// The first message has the thread from 5.5 to 17 us; the second comes for it at 11.5 us, the third at 13.5 us.
TEST(Stages, HaveAThreadInTheOrderInWhichTheyCome) {
  auto scenario =
      pairs(with_stages({}),
            {at(0, far_mic), at(1, far_mic), at(0, near_mic), at(1, near_mic), at(0, far_mic), at(1, far_mic)}, 40000,
            "staged");
  auto& steps = std::get<StepProgram>(scenario.workload).steps;
  for (const auto& [rank, time] : {std::pair(2u, 6.0), std::pair(4u, 8.0)}) {
    Step work;
    work.kind = Step::Kind::compute;
    work.time = microseconds(time);
    steps[rank].insert(steps[rank].begin(), work);
  }
  const auto record = run(scenario);
  ASSERT_TRUE(record);
  const auto ends = ends_of(*record);
  EXPECT_NEAR(in_microseconds(ends[1]), 22.5, 1e-6);
  EXPECT_NEAR(in_microseconds(ends[3]), 34, 1e-6);
  EXPECT_NEAR(in_microseconds(ends[5]), 45.5, 1e-6);
}

TEST(Stages, FollowOneAnother) {
  // each 1 + 0.5 us of cores; 40 kB at 10, 4 and 10 GB/s
  EXPECT_NEAR(duration(pairs(with_stages({}), {at(0, far_mic), at(1, far_mic)}, 40000, "staged")), 3 * 1.5 + 4 + 10 + 4,
              1e-6);
}

TEST(Stages, AreLeftOutWhereTheyGoNowhere) {
  EXPECT_NEAR(duration(pairs(with_stages({}), {at(0, cpu0), at(1, far_mic)}, 40000, "staged")), 2 * 1.5 + 10 + 4, 1e-6);
}

// Inside a node the stage between the hosts is a copy, at 10 GB/s.
TEST(Stages, BetweenNamedDevicesAreNotLeftOut) {
  EXPECT_NEAR(duration(pairs(with_stages({}), {at(0, far_mic), at(0, near_mic)}, 40000, "staged")), 3 * (1.5 + 4),
              1e-6);
}

TEST(Stages, OfAPipelineOverlap) {
  // Four pieces of 10 kB: 1 us and 2.5 us at most in a stage. The first stage takes 1 + 1 us for a piece (its receiving
  // core 0.5 us more before the next), the second 1 + 2.5 + 0.5 us, which sets the pace; the last one 1 + 1 + 0.5 us.
  EXPECT_NEAR(duration(pairs(with_stages(Bytes{10000}), {at(0, far_mic), at(1, far_mic)}, 40000, "staged")),
              2.5 + 4 * 4 + 2.5, 1e-6);
}

TEST(Stages, OfAPipelineHandleALastPieceThatIsSmaller) {
  // two pieces, of 10 kB and 2 kB: the second one's middle stage is 1 + 0.5 + 0.5, its last 1 + 0.2 + 0.5
  EXPECT_NEAR(duration(pairs(with_stages(Bytes{10000}), {at(0, far_mic), at(1, far_mic)}, 12000, "staged")),
              2.5 + 4 + 2.5 + 1.7, 1e-6);
}

TEST(Stages, MustMeet) {
  auto broken = with_stages({});
  broken->fabrics.back().stages.erase(broken->fabrics.back().stages.begin() + 1);
  const auto planned = plan(pairs(broken, {at(0, far_mic), at(1, far_mic)}, 1, "staged"));
  ASSERT_FALSE(planned);
  EXPECT_EQ(to_text(planned.errors()[0]),
            "p.json: /fabrics/staged/stages/1: got a stage that begins at \"b.cpu0\" for a message from \"a.far\" to "
            "\"b.far\", expected \"a.cpu0\", where the stage before ends");
}

Scenario remote(const char* name, std::size_t initiator, std::size_t other, std::uint64_t size,
                std::shared_ptr<Platform> on) {
  auto scenario = pairs(std::move(on), {initiator, other}, 0);
  Benchmark benchmark;
  benchmark.name = name;
  benchmark.sizes = {Bytes{size}};
  scenario.workload = benchmark;
  return scenario;
}

double remote_time(const char* name, std::size_t initiator, std::size_t other, std::uint64_t size,
                   std::shared_ptr<Platform> on) {
  const auto record = run(remote(name, initiator, other, size, std::move(on)));
  return in_microseconds(record->table.figures.front().t_avg);
}

// The initiator's core only: 0.2 us of a cpu's, 3 us of a coprocessor's.
std::shared_ptr<Platform> one_sided() {
  auto made = platform();
  auto& net = made->fabrics.front();
  net.one_sided = true;
  auto& regime = net.rules[0].regimes[0];
  regime.send_overhead = all_kinds(microseconds(0.2));
  regime.send_overhead[static_cast<std::size_t>(DeviceKind::coprocessor)] = microseconds(3);
  regime.alignment = Alignment{Bytes{64}, microseconds(7)};
  return made;
}

TEST(Put, CostsTheInitiatorsCoreOnly) {
  EXPECT_NEAR(remote_time("osu-put-latency", at(0, cpu0), at(0, near_mic), 64000, one_sided()), 0.2 + 6.4, 1e-6);
}
TEST(Put, TakesOneTripWhateverItsSize) {
  auto made = one_sided();
  for (auto& link : made->links)
    link.latency = microseconds(1);
  const auto once = remote_time("osu-put-latency", at(0, cpu0), at(0, near_mic), 64000, made);
  EXPECT_GT(once, 0.2 + 6.4 + 0.5);
  made->fabrics.front().rules[0].regimes[0].trips = 3;
  EXPECT_NEAR(remote_time("osu-put-latency", at(0, cpu0), at(0, near_mic), 64000, made), once, 1e-6);
}
TEST(Get, CostsTheInitiatorsCoreOnly) {
  EXPECT_NEAR(remote_time("osu-get-latency", at(0, near_mic), at(0, cpu0), 64000, one_sided()), 3 + 6.4, 1e-6);
}
TEST(Get, ReadsOverItsOwnLimit) {
  // the reader's DMA engine asks: 0.1 GB/s
  EXPECT_NEAR(remote_time("osu-get-latency", at(0, near_mic), at(0, far_mic), 64000, one_sided()), 3 + 640, 1e-6);
}

TEST(Alignment, SlowsDownSizesThatAreNoMultiple) {
  EXPECT_NEAR(remote_time("osu-put-latency", at(0, cpu0), at(0, near_mic), 64001, one_sided()), 0.2 + 7 + 6.4001, 1e-6);
}

// 10 us more where a CPU asks for what a coprocessor has.
std::shared_ptr<Platform> one_sided_with_a_rule_for_reading_cpus() {
  auto made = one_sided();
  auto& rules = made->fabrics.front().rules;
  Rule from_mic = rules[0];
  from_mic.from = DeviceKind::coprocessor;
  from_mic.initiator = DeviceKind::cpu;
  from_mic.regimes[0].setup = microseconds(10);
  rules.insert(rules.begin(), from_mic);
  return made;
}

TEST(Rule, MayAskForEndsAndInitiator) {
  const auto made = one_sided_with_a_rule_for_reading_cpus();
  const auto mic = at(0, near_mic);
  EXPECT_NEAR(remote_time("osu-get-latency", at(0, cpu0), mic, 64000, made), 10 + 0.2 + 6.4, 1e-6);
}

TEST(Rule, IsPassedOverForAnotherInitiator) {
  const auto made = one_sided_with_a_rule_for_reading_cpus();
  EXPECT_NEAR(remote_time("osu-put-latency", at(0, near_mic), at(0, cpu0), 64000, made), 3 + 6.4, 1e-6);
}

TEST(OpenRing, FindsItsSlowestStep) {
  auto scenario = pairs(platform(), {at(0, cpu0), at(0, near_mic), at(0, far_mic), at(1, cpu0)}, 0);
  Benchmark benchmark;
  benchmark.name = "open-ring";
  benchmark.sizes = {Bytes{1000000}};
  scenario.workload = benchmark;
  const auto record = run(scenario);
  ASSERT_TRUE(record);
  const auto& row = record->table.figures.front();
  EXPECT_EQ(*row.slowest_step, (std::array{2, 3})); // read by the HCA across sockets at 0.5 GB/s
  EXPECT_NEAR(row.rate, 500, 2);
}

TEST(BossWorker, CountsItemsFromTheFirstRequestToTheLastAnswer) {
  auto scenario = pairs(platform(), {at(0, cpu0), at(0, near_mic)}, 0);
  BossWorker workload;
  workload.work_items = {10, 20};
  workload.items_per_worker = 2;
  workload.message = Bytes{0};
  workload.compute = all_kinds(microseconds(3));
  scenario.workload = workload;
  const auto record = run(scenario);
  ASSERT_TRUE(record);
  const auto& rows = record->table.figures;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(std::get<std::uint64_t>(cell(record->table, 0, "items")), 2u);
  // Three requests of 1.5 us each and as many answers, of which the last costs the boss its 1 us only; two items.
  EXPECT_NEAR(in_microseconds(rows[0].t_avg), 3 * 1.5 + 2 * 1.5 + 1 + 2 * 30, 1e-6);
  EXPECT_NEAR(in_microseconds(rows[1].t_avg), 3 * 1.5 + 2 * 1.5 + 1 + 2 * 60, 1e-6);
}

} // namespace
} // namespace kakehashi
