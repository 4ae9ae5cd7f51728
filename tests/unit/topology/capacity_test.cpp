#include "topology/capacity.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

double gigabytes(BytesPerSecond rate) {
  return rate.value / 1e9;
}

BytesPerSecond capacity(std::string_view type, const LinkRating& rating) {
  return row_of(link_type(type)).capacity(rating);
}
LinkRating line_rate(double bytes_per_second) {
  LinkRating rating;
  rating.line_rate = BytesPerSecond{bytes_per_second};
  return rating;
}
LinkRating pcie(int generation, int lanes, std::uint64_t max_payload) {
  LinkRating rating;
  rating.generation = generation;
  rating.lanes = lanes;
  rating.max_payload = {max_payload};
  return rating;
}

// Data sheets give the raw rate of a direction; the payload's share is worked by hand beside it.
TEST(QpiCapacity, IsTwoBytesATransferWithoutHeaders) {
  LinkRating rating;
  rating.transfers = TransfersPerSecond{6.4e9};
  EXPECT_NEAR(gigabytes(capacity("qpi", rating)), 12.8 * 8 / 9, 1e-9); // "25.6 GB/s" both ways
  rating.transfers = TransfersPerSecond{8e9};
  EXPECT_DOUBLE_EQ(gigabytes(capacity("upi", rating)), 16);
}

TEST(PcieCapacity, IsTheLanesAfterLineCodeAndPacketHeaders) {
  const auto gb_s = [](int generation, int lanes, std::uint64_t max_payload) {
    return gigabytes(capacity("pcie", pcie(generation, lanes, max_payload)));
  };
  EXPECT_NEAR(gb_s(2, 16, 256), 8.0 * 256 / 280, 1e-12);              // 8 GB/s raw, about 7.2 effective
  EXPECT_NEAR(gb_s(2, 8, 128), 4.0 * 128 / 152, 1e-12);               // 4 GB/s raw
  EXPECT_NEAR(gb_s(1, 1, 128), 0.25 * 128 / 152, 1e-12);              // 250 MB/s raw
  EXPECT_NEAR(gb_s(3, 16, 256), 15.754 * 256 / 280, 1e-3);            // 15.75 GB/s raw
  EXPECT_NEAR(gb_s(4, 16, 256), 31.508 * 256 / 280, 1e-3);            // 31.5 GB/s raw
  EXPECT_NEAR(gb_s(5, 16, 512), 63.015 * 512.0 / 536, 1e-3);          // 63 GB/s raw
  EXPECT_NEAR(gb_s(6, 16, 512), 128 * 242.0 / 256 * 512 / 536, 1e-3); // 121 GB/s raw
}

TEST(Peach2Capacity, IsThatOfItsPcieCable) {
  EXPECT_DOUBLE_EQ(gigabytes(capacity("peach2", pcie(2, 8, 128))), 4.0 * 128 / 152);
  EXPECT_DOUBLE_EQ(gigabytes(capacity("peach2", pcie(2, 16, 128))), 8.0 * 128 / 152);
}

TEST(InfinibandCapacity, IsTheDataRateLessPacketHeaders) {
  const double share = 2048.0 / 2074;
  const std::pair<std::string_view, double> lane_gb_s[] = {{"SDR", 0.25},
                                                           {"QDR", 1},
                                                           {"FDR", 54.5454545 / 8 / 4},
                                                           {"EDR", 3.125},
                                                           {"NDR", 12.5}}; // 4 lanes: 8 to 400 Gbit/s
  for (const auto& [name, gb_s] : lane_gb_s) {
    const auto rates = infiniband_rates();
    LinkRating rating;
    rating.lanes = 4;
    rating.signalling = 0;
    while (rates[*rating.signalling].name != name)
      ++*rating.signalling;
    EXPECT_NEAR(gigabytes(capacity("infiniband", rating)), 4 * gb_s * share, 1e-6) << name;
  }
}

TEST(EthernetCapacity, IsWhatTcpCanCarry) {
  EXPECT_NEAR(gigabytes(capacity("ethernet", line_rate(125e6))), 0.11866, 1e-5); // 949 Mbit/s of 1 Gbit/s
}

TEST(LineCapacity, IsTheDataSheetsRate) {
  EXPECT_DOUBLE_EQ(gigabytes(capacity("tofu", line_rate(5e9))), 5);
  EXPECT_DOUBLE_EQ(gigabytes(capacity("nvlink", line_rate(20e9))), 20);
}

TEST(LinkTypes, AreFoundByTheirNames) {
  for (const auto& row : link_types())
    EXPECT_EQ(name_of(link_type(row.name)), row.name);
  EXPECT_EQ(find_link_type("hippi"), std::nullopt);
}

TEST(Capacity, IsTheStatedOneWhereALinkStatesIt) {
  Link link;
  link.type = link_type("pcie");
  link.rating = pcie(2, 16, 256);
  EXPECT_NEAR(gigabytes(capacity_of(link).forward), 7.314, 1e-3);
  link.bandwidth = gigabytes_per_second(6);
  EXPECT_DOUBLE_EQ(gigabytes(capacity_of(link).forward), 6);
  EXPECT_DOUBLE_EQ(gigabytes(capacity_of(link).backward), 6);
  link.bandwidth = {gigabytes_per_second(6), gigabytes_per_second(0.5)};
  EXPECT_DOUBLE_EQ(gigabytes(capacity_of(link).forward), 6);
  EXPECT_DOUBLE_EQ(gigabytes(capacity_of(link).backward), 0.5);
}

} // namespace
} // namespace kakehashi
