#include "topology/capacity.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

double gigabytes(BytesPerSecond rate) {
  return rate.value / 1e9;
}

// Data sheets give the raw rate of a direction; the payload's share is worked by hand beside it.
TEST(QpiCapacity, IsTwoBytesATransfer) {
  EXPECT_DOUBLE_EQ(gigabytes(point_to_point_capacity({TransfersPerSecond{6.4e9}})), 12.8); // "25.6 GB/s" both ways
  EXPECT_DOUBLE_EQ(gigabytes(point_to_point_capacity({TransfersPerSecond{8e9}})), 16);
}

TEST(PcieCapacity, IsTheLanesAfterLineCodeAndPacketHeaders) {
  EXPECT_NEAR(gigabytes(pcie_capacity({2, 16, Bytes{256}})), 8.0 * 256 / 280, 1e-12); // 8 GB/s raw, about 7.2 effective
  EXPECT_NEAR(gigabytes(pcie_capacity({2, 8, Bytes{128}})), 4.0 * 128 / 152, 1e-12);  // 4 GB/s raw
  EXPECT_NEAR(gigabytes(pcie_capacity({1, 1, Bytes{128}})), 0.25 * 128 / 152, 1e-12); // 250 MB/s raw
  EXPECT_NEAR(gigabytes(pcie_capacity({3, 16, Bytes{256}})), 15.754 * 256 / 280, 1e-3);            // 15.75 GB/s raw
  EXPECT_NEAR(gigabytes(pcie_capacity({4, 16, Bytes{256}})), 31.508 * 256 / 280, 1e-3);            // 31.5 GB/s raw
  EXPECT_NEAR(gigabytes(pcie_capacity({5, 16, Bytes{512}})), 63.015 * 512.0 / 536, 1e-3);          // 63 GB/s raw
  EXPECT_NEAR(gigabytes(pcie_capacity({6, 16, Bytes{512}})), 128 * 242.0 / 256 * 512 / 536, 1e-3); // 121 GB/s raw
}

TEST(InfinibandCapacity, IsTheDataRateLessPacketHeaders) {
  const double share = 2048.0 / 2074;
  EXPECT_NEAR(gigabytes(infiniband_capacity({InfinibandRate::sdr, 4})), 1 * share, 1e-12);        // 8 Gbit/s
  EXPECT_NEAR(gigabytes(infiniband_capacity({InfinibandRate::qdr, 4})), 4 * share, 1e-12);        // 32 Gbit/s
  EXPECT_NEAR(gigabytes(infiniband_capacity({InfinibandRate::fdr, 4})), 54.54 / 8 * share, 1e-3); // 54.54 Gbit/s
  EXPECT_NEAR(gigabytes(infiniband_capacity({InfinibandRate::edr, 4})), 12.5 * share, 1e-12);     // 100 Gbit/s
  EXPECT_NEAR(gigabytes(infiniband_capacity({InfinibandRate::ndr, 4})), 50 * share, 1e-12);       // 400 Gbit/s
}

TEST(EthernetCapacity, IsWhatTcpCanCarry) {
  EXPECT_NEAR(gigabytes(ethernet_capacity({BytesPerSecond{125e6}})), 0.11866, 1e-5); // 949 Mbit/s of 1 Gbit/s
}

TEST(Capacity, IsTheStatedOneWhereALinkStatesIt) {
  Link link;
  link.rating = Pcie{2, 16, Bytes{256}};
  EXPECT_NEAR(gigabytes(capacity_of(link).forward), 7.314, 1e-3);
  link.bandwidth = gigabytes_per_second(6);
  EXPECT_DOUBLE_EQ(gigabytes(capacity_of(link).forward), 6);
  EXPECT_DOUBLE_EQ(gigabytes(capacity_of(link).backward), 6);
  link.bandwidth_back = gigabytes_per_second(0.5);
  EXPECT_DOUBLE_EQ(gigabytes(capacity_of(link).forward), 6);
  EXPECT_DOUBLE_EQ(gigabytes(capacity_of(link).backward), 0.5);
}

} // namespace
} // namespace kakehashi
