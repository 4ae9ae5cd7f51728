#include "transport/itinerary.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Two stages of one fabric: 2 us of the sending core and 3 ns for each byte, 1 us of setup, three trips of 0.5 us, 4 us
// of the receiving core.
struct ItineraryTest : testing::Test {
  Fabric fabric;
  Rule rule;
  WayTerms way;

  ItineraryTest() {
    rule.regimes.emplace_back();
    auto& regime = rule.regimes[0];
    regime.trips = 3;
    regime.send_overhead = all_kinds(microseconds(2));
    regime.send_per_byte = all_kinds(SecondsPerByte{3e-9});
    regime.receive_overhead = all_kinds(microseconds(4));
    regime.setup = microseconds(1);
    PathTerms path;
    path.fabric = &fabric;
    path.rule = &rule;
    path.latency = microseconds(0.5);
    way.stages = {path, path};
    way.chunk = Bytes{100};
  }
};

TEST_F(ItineraryTest, CutsAMessageInPiecesOfWhichTheLastIsTheRest) {
  const auto pieces = [&](std::uint64_t size) { return itinerary_of(way, Bytes{size}); };
  EXPECT_EQ(pieces(100).pieces, 1u);
  EXPECT_EQ(pieces(300).pieces, 3u);
  EXPECT_EQ(pieces(300).last_piece, Bytes{100});
  EXPECT_TRUE(pieces(300).last_costs.empty());
  const auto cut = pieces(301);
  EXPECT_EQ(cut.pieces, 4u);
  EXPECT_EQ(cut.size_of(2), Bytes{100});
  EXPECT_EQ(cut.size_of(3), Bytes{1});
  EXPECT_NEAR(in_microseconds(cut.cost(0, 0).sender_core), 2.3, 1e-12);
  EXPECT_NEAR(in_microseconds(cut.cost(0, 3).sender_core), 2.003, 1e-12);
}

TEST_F(ItineraryTest, HasAtMostTenThousandPieces) {
  const auto cut = itinerary_of(way, Bytes{100 * 10000 + 1});
  EXPECT_LE(cut.pieces, 10000u);
  EXPECT_EQ(cut.piece, Bytes{101});
  way.chunk = Bytes{1};
  EXPECT_EQ(itinerary_of(way, Bytes{25000}).piece, Bytes{3});
}

TEST_F(ItineraryTest, IsWholeOnOneStage) {
  way.stages.pop_back();
  const auto whole = itinerary_of(way, Bytes{301});
  EXPECT_EQ(whole.pieces, 1u);
  EXPECT_EQ(whole.protocol, Protocol::rendezvous);
}

TEST_F(ItineraryTest, AsksNobodyBetweenStages) {
  EXPECT_EQ(itinerary_of(way, Bytes{50}).protocol, Protocol::eager);
}

// The ranks' cores and the first piece's start are not counted twice.
TEST_F(ItineraryTest, DelaysPiecesBetweenTheRanksCores) {
  const auto cut = itinerary_of(way, Bytes{150});
  EXPECT_EQ(cut.before_flow(0, 0), Seconds{});
  EXPECT_NEAR(in_microseconds(cut.before_flow(0, 1)), 2 + 0.15 + 1 + 3 * 0.5, 1e-12);
  EXPECT_NEAR(in_microseconds(cut.before_flow(1, 0)), 2 + 0.3 + 1 + 3 * 0.5, 1e-12);
  EXPECT_NEAR(in_microseconds(cut.after_flow(0, 1)), 4, 1e-12);
  EXPECT_NEAR(in_microseconds(cut.after_flow(1, 0)), 4, 1e-12);
  EXPECT_EQ(cut.after_flow(1, 1), Seconds{});
}

} // namespace
} // namespace kakehashi
