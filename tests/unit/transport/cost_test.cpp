#include "transport/cost.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Eager below 1000 B, rendezvous from there on.
Rule rule() {
  Regime eager;
  eager.to = Bytes{1000};
  eager.send_overhead = all_kinds(microseconds(0.5));
  eager.receive_overhead = all_kinds(microseconds(0.25));
  eager.send_per_byte = all_kinds(SecondsPerByte{1e-9});
  eager.setup = microseconds(0.1);
  eager.cap = gigabytes_per_second(1);
  Regime rendezvous = eager;
  rendezvous.from = Bytes{1000};
  rendezvous.to = std::nullopt;
  rendezvous.trips = 3;
  rendezvous.cap = std::nullopt;
  rendezvous.gap = microseconds(0.2);
  rendezvous.receive_overhead[static_cast<std::size_t>(DeviceKind::coprocessor)] = microseconds(4);
  Rule rule;
  rule.regimes = {eager, rendezvous};
  return rule;
}

struct CostTest : testing::Test {
  Rule the_rule = rule();
  Fabric fabric;
  std::deque<Channel> channels{{"wide", gigabytes_per_second(8)}, {"narrow", gigabytes_per_second(2)}};
  Path path;

  CostTest() {
    path.terms.fabric = &fabric;
    path.terms.rule = &the_rule;
    path.terms.latency = microseconds(1);
    path.route.channels = {0, 1};
    path.route.leg_ends = {2};
  }
  double lone_us(std::uint64_t size) const { return in_microseconds(lone_time(path, Bytes{size}, channels)); }
};

TEST_F(CostTest, EagerIsOneTripUnderItsCap) {
  // 0.5 + 100 B · 1 ns + 0.1 + 1 trip · 1 + 100 B / 1 GB/s + 0.25
  EXPECT_NEAR(lone_us(100), 0.5 + 0.1 + 0.1 + 1 + 0.1 + 0.25, 1e-12);
}

TEST_F(CostTest, AnEagerPayloadIsFetchedFromASizeOn) {
  path.terms.fetch = microseconds(0.7);
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{128}).setup), 0.1, 1e-12);
  fabric.fetch = Fetch{Bytes{128}, {}};
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{127}).setup), 0.1, 1e-12);
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{128}).setup), 0.8, 1e-12);
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{1000}).setup), 0.1, 1e-12); // a rendezvous
}

TEST_F(CostTest, RendezvousIsThreeTripsAtTheRateOfTheNarrowestLink) {
  // 0.5 + 2000 B · 1 ns + 0.1 + 3 trips · 1 + 2000 B / 2 GB/s + 0.25
  EXPECT_NEAR(lone_us(2000), 0.5 + 2 + 0.1 + 3 + 1 + 0.25, 1e-12);
}

TEST_F(CostTest, TheRegimeChangesAtItsFirstSize) {
  EXPECT_EQ(cost_of(path.terms, Bytes{999}).protocol, Protocol::eager);
  EXPECT_EQ(cost_of(path.terms, Bytes{1000}).protocol, Protocol::rendezvous);
  EXPECT_EQ(cost_of(path.terms, Bytes{std::uint64_t{1} << 50}).protocol, Protocol::rendezvous);
}

TEST_F(CostTest, OverheadsBelongToTheKindOfEachEnd) {
  path.terms.to_kind = DeviceKind::coprocessor;
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{2000}).receiver_core), 4, 1e-12);
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{2000}).sender_core), 2.5, 1e-12);
}

TEST_F(CostTest, CrossingsAddToEveryTripAndCoreAndGap) {
  Adjustment crossing;
  crossing.latency = microseconds(0.3);
  crossing.overhead = microseconds(0.05);
  crossing.copy_factor = 1.5;
  crossing.gap = microseconds(0.4);
  fabric.adjustments = {crossing};
  path.terms.crossings = {2}; // as from node0 to node0: QPI at both ends
  const auto cost = cost_of(path.terms, Bytes{2000});
  EXPECT_NEAR(in_microseconds(cost.trip), 1.6, 1e-12);
  EXPECT_NEAR(in_microseconds(cost.sender_core), 0.5 + 2 * 3 * 0.05 + 2 * 2.25,
              1e-12); // 2 us of copies, 1.5 · 1.5 as long
  EXPECT_NEAR(in_microseconds(cost.receiver_core), 0.25 + 2 * 3 * 0.05, 1e-12);
  EXPECT_NEAR(in_microseconds(cost.gap), 0.2 + 2 * 0.4, 1e-12);
}

TEST_F(CostTest, AnAdjustmentMayBeForOneProtocolOnly) {
  Adjustment crossing;
  crossing.protocol = Protocol::eager;
  crossing.latency = microseconds(0.3);
  fabric.adjustments = {crossing};
  path.terms.crossings = {1};
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{1}).trip), 1.3, 1e-12);
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{1000}).trip), 1, 1e-12);
}

TEST_F(CostTest, PayloadsThatCoresMoveTakeNoTimeOnLinks) {
  the_rule.moved_by_cores = true;
  EXPECT_NEAR(lone_us(100), 0.5 + 0.1 + 0.1 + 1 + 0.25, 1e-12);
}

TEST_F(CostTest, OfAOneSidedFabricIsTheInitiatorsAlone) {
  fabric.one_sided = true;
  path.terms.initiator = Side::receiver;
  path.terms.to_kind = DeviceKind::coprocessor;
  for (auto& regime : the_rule.regimes) {
    regime.send_overhead[static_cast<std::size_t>(DeviceKind::coprocessor)] = microseconds(3);
    regime.receive_per_byte = all_kinds(SecondsPerByte{2e-9});
  }
  const auto cost = cost_of(path.terms, Bytes{2000});
  EXPECT_NEAR(in_microseconds(cost.sender_core), 3 + 2, 1e-12); // of the coprocessor's core, which reads
  EXPECT_EQ(cost.receiver_core, Seconds{});
}

// Nobody's core moves it then, so it flows.
TEST_F(CostTest, OfAOneSidedFabricHasNoCopyOfTheReceiver) {
  fabric.one_sided = true;
  the_rule.moved_by_cores = true;
  for (auto& regime : the_rule.regimes) {
    regime.send_per_byte = {};
    regime.receive_per_byte = all_kinds(SecondsPerByte{2e-9});
  }
  EXPECT_TRUE(cost_of(path.terms, Bytes{2000}).flows);
}

TEST_F(CostTest, ThePenaltyOfAnOddSizeIsMoreSetup) {
  the_rule.regimes[0].alignment = {Bytes{64}, microseconds(0.7)};
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{128}).setup), 0.1, 1e-12);
  EXPECT_NEAR(in_microseconds(cost_of(path.terms, Bytes{129}).setup), 0.1 + 0.7, 1e-12);
}

TEST_F(CostTest, NothingLimitsALoneMessageWithoutCapAndChannels) {
  path.route = {};
  path.terms.has_links = false;
  path.terms.latency = microseconds(1);
  EXPECT_EQ(lone_rate(path, cost_of(path.terms, Bytes{2000}), 0, channels), std::nullopt);
  EXPECT_NEAR(lone_us(2000), 0.5 + 2 + 0.1 + 3 + 0.25, 1e-12);
}

// The worked example: 0.6 us more for one trip, 1.8 us for three.
TEST_F(CostTest, NodeZeroIsNodeOnePlusTheTextsTripTime) {
  const double eager = lone_us(100);
  const double rendezvous = lone_us(2000);
  Adjustment qpi;
  qpi.latency = microseconds(0.3);
  fabric.adjustments = {qpi};
  path.terms.crossings = {2};
  EXPECT_NEAR(lone_us(100) - eager, 0.6, 1e-12);
  EXPECT_NEAR(lone_us(2000) - rendezvous, 1.8, 1e-12);
}

} // namespace
} // namespace kakehashi
