#include "input/log/log_reader.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

const std::string heads =
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
    "#wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";

LogTable read_one(const std::string& text) {
  const auto tables = parse_logs(text, "job.out");
  if (tables && tables->size() == 1)
    return tables->front();
  ADD_FAILURE() << (tables ? "not one table" : to_text(tables.errors().front()));
  return {};
}

// Times out of place count; sizes that were rounded to 0 B do not.
TEST(GpuLog, ReadsTheTableOfNcclTests) {
  const auto table =
      read_one("NCCL version 2.18.3+cuda12.2\n"
               "# nThread 1 nGpus 4 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20\n#\n"
               "# Using devices\n"
               "#  Rank  0 Group  0 Pid   1234 on      node0 device  0 [0x07] NVIDIA H100\n"
               "#  Rank  1 Group  0 Pid   1234 on      node0 device  1 [0x0b] NVIDIA H100\n" +
               heads +
               "           0             0     float     sum      -1     8.67    0.00    0.00      0     8.72    0.00  "
               "  0.00      0\n"
               "        1024           256     float     sum      -1    11.50    0.09    0.09      0    11.40    0.09  "
               "  0.09      0\n"
               "     1048576        262144     float     sum      -1    40.00   26.21   26.21      0    39.00   26.89  "
               " 26.89      0\n"
               "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 13.1533\n#\n");
  EXPECT_EQ(table.benchmark, "nccl-allreduce");
  EXPECT_EQ(table.version, "2.18.3");
  EXPECT_EQ(table.processes, 2u);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].size.count, 1024u);
  EXPECT_EQ(table.rows[1].t_us, 40.0);
}

// Without lines above it, the last row shows the operation and, mostly, the ranks.
TEST(GpuLog, KnowsTheOperationByItsRows) {
  const auto of = [](const std::string& row) {
    const auto table = read_one(heads + row + "\n");
    return table.benchmark + " " + (table.processes ? std::to_string(*table.processes) : "?");
  };
  EXPECT_EQ(of("1048576 262144 float sum -1 40.00 26.21 45.88 0 39.00 26.89 47.05 0"), "nccl-allreduce 8");
  EXPECT_EQ(of("1048576 32768 float none -1 40.00 26.21 22.94 0 39.00 26.89 23.52 0"), "nccl-allgather 8");
  EXPECT_EQ(of("1048576 65536 half none -1 40.00 26.21 22.94 0 39.00 26.89 23.52 N/A"), "nccl-alltoall 8");
  EXPECT_EQ(of("1048576 32768 float sum -1 40.00 26.21 22.94 0 39.00 26.89 23.52 0"), "nccl-reducescatter 8");
  EXPECT_EQ(of("1048576 262144 float none 0 40.00 26.21 26.21 0 39.00 26.89 26.89 0"), "nccl-broadcast ?");
  EXPECT_EQ(of("1048576 262144 float sum 0 40.00 26.21 26.21 0 39.00 26.89 26.89 0"), "nccl-reduce ?");
}

TEST(GpuLog, TakesTheTitleOfLaterReleases) {
  const auto table = read_one("# nccl-tests version 2.17.1 nccl-headers=22703 nccl-library=22703\n"
                              "# Collective test starting: sendrecv_perf\n# nThread 1 nGpus 2 minBytes 8\n" +
                              heads + "1048576 262144 float sum -1 40.00 26.21 26.21 0 39.00 26.89 26.89 N/A\n");
  EXPECT_EQ(table.benchmark, "nccl-sendrecv");
  EXPECT_EQ(table.version, "2.27.3");
}

// Where the library's lines are in the same file, one may cut a row.
TEST(GpuLog, PassesOverLinesOfTheLibrary) {
  const auto row = [](const std::string& size) {
    return size + " 256 float sum -1 11.50 0.09 0.09 0 11.40 0.09 0.09 0\n";
  };
  const auto table =
      read_one(heads + row("1024") + "2048 512 float sum -1node0:1904:1905 [0] NCCL INFO Channel 00/0 : " +
               "7[3] -> 0[0] [receive] via NET/IB/2\n" + row("4096"));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[1].size.count, 4096u);
}

// The bus bandwidths of 124 and 125 ranks have the same digits.
TEST(GpuLog, StatesNoRanksThatItsDigitsDoNotShow) {
  const auto ranks_of = [](const std::string& rates) {
    return read_one(heads + "33554432 8388608 float sum -1 2400.0 " + rates + " 0 2400.0 " + rates + " 0\n").processes;
  };
  EXPECT_EQ(ranks_of("13.98 27.74"), std::nullopt);
  EXPECT_EQ(ranks_of("139.81 262.14"), 16u);
}

// osu_xccl's release is not that of the library.
TEST(GpuLog, ReadsOsuXccl) {
  const auto table = read_one("#Using NCCL\n\n# OSU NCCL-CUDA All-to-All Personalized Exchange Latency Test v7.5\n"
                              "# Size       Avg Latency(us)\n1024 20.5\n2048 21.5\n4096 22.5\n");
  EXPECT_EQ(table.benchmark, "nccl-alltoall");
  EXPECT_EQ(table.version, "");
  const auto curve = curve_of(table, Metric::time, 16);
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->points[1].size.count, 16u * 2048);
  EXPECT_EQ(read_one("# OSU RCCL-ROCM Broadcast Latency Test v7.5\n# Size Avg Latency(us)\n8 20.5\n").benchmark,
            "nccl-broadcast");
  EXPECT_EQ(read_one("# OSU NCCL-CUDA Latency Test v7.5\n# Size Avg Latency(us)\n8 20.5\n").benchmark, "nccl-latency");
}

TEST(GpuLog, ShowsABrokenRow) {
  const auto tables = parse_logs(heads + "1024 256 float sum -1 fast 0.09 0.09 0 11.40 0.09 0.09 0\n", "job.out");
  ASSERT_FALSE(tables);
  EXPECT_EQ(to_text(tables.errors().front()),
            "job.out: line 3: got \"fast\", expected a measured value in the column \"time\"");
}

} // namespace
} // namespace kakehashi
