#include "input/log/log_reader.hpp"

#include "scratch_folder.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <ostream>

namespace kakehashi {
namespace {

using Tables = std::vector<LogTable>;

Tables tables_of(const std::string& text) {
  const auto tables = parse_logs(text, "job.out");
  if (tables)
    return *tables;
  for (const auto& error : tables.errors())
    ADD_FAILURE() << to_text(error);
  return Tables(1);
}

std::string show(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

// size repetitions t t_min t_max t_avg MB/s messages/s
std::string show(const LogRow& row) {
  const auto repetitions = row.repetitions ? fmt::format("{}", *row.repetitions) : "-";
  return fmt::format("{} {} {} {} {} {} {} {}", row.size.count, repetitions, show(row.t_us), show(row.t_min_us),
                     show(row.t_max_us), show(row.t_avg_us), show(row.mbytes_per_s), show(row.messages_per_s));
}

std::string imb(const std::string& version, const std::string& name, const std::string& table) {
  return "#------------------------------------------------------------\n#    " + version +
         ", MPI-1 part    \n#------------------------------------------------------------\n"
         "# Date                  : Sat Nov 21 05:32:12 2026\n# Version               : #1 SMP\n\n"
         "# Calling sequence was: \n\n# IMB-MPI1 -npmin 2 \n\n# Minimum message length in bytes:   0\n#\n#\n\n"
         "# List of Benchmarks to run:\n\n# " +
         name + "\n\n#---------------------------------------------------\n# Benchmarking " + name + " \n" + table;
}

const std::string ping_pong = "# #processes = 2 \n#---------------------------------------------------\n"
                              "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                              "            0         1000         1.50         0.00\n"
                              "      1000000           40       500.00      2000.00\n\n\n"
                              "# All processes entering MPI_Finalize\n\n";

// A table with one row below one header and title, and what is made of them.
struct Accepted {
  std::string text;
  std::string benchmark;
  std::string row;
};

// Keeps the names of the tests plain.
void PrintTo(const Accepted& accepted, std::ostream* out) {
  *out << (accepted.benchmark.empty() ? "csv" : accepted.benchmark);
}

class OneRow : public testing::TestWithParam<Accepted> {};

TEST_P(OneRow, IsReadByTheWordsOfItsHeader) {
  const auto tables = tables_of(GetParam().text);
  ASSERT_EQ(tables.size(), 1U);
  ASSERT_EQ(tables.front().rows.size(), 1U);
  EXPECT_EQ(tables.front().benchmark, GetParam().benchmark);
  EXPECT_EQ(show(tables.front().rows.front()), GetParam().row);
}

INSTANTIATE_TEST_SUITE_P(
    Imb, OneRow,
    testing::Values(
        Accepted{"# Benchmarking PingPing\n#bytes #repetitions t[usec] Mbytes/sec\n8 1000 2.5 3.2\n", "imb-pingping",
                 "8 1000 2.5 - - - 3.2 -"},
        Accepted{"# Benchmarking Sendrecv\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n"
                 "8 1000 2 4 3 4\n",
                 "imb-sendrecv", "8 1000 - 2 4 3 4 -"},
        Accepted{"# Benchmarking Exchange\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec "
                 "#defects\n8 1000 2 4 3 8 0.00\n",
                 "imb-exchange", "8 1000 - 2 4 3 8 -"},
        Accepted{"# Benchmarking Bcast\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n4 10 1 2 1.5\n",
                 "imb-bcast", "4 10 - 1 2 1.5 - -"},
        Accepted{"# Benchmarking Reduce_scatter\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] defects\n"
                 "4 10 1 2 1.5 0\n",
                 "imb-reduce_scatter", "4 10 - 1 2 1.5 - -"},
        Accepted{"# Benchmarking Alltoallv\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n4 10 1 2 1.5\n",
                 "imb-alltoallv", "4 10 - 1 2 1.5 - -"},
        Accepted{"# Benchmarking Biband\n#bytes #repetitions Mbytes/sec Msg/sec\n64 100 640.5 10007812\n", "imb-biband",
                 "64 100 - - - - 640.5 10007812"},
        Accepted{"# Benchmarking Barrier\n#repetitions t_min[usec] t_max[usec] t_avg[usec]\n1000 3 5 4\n\n0\n",
                 "imb-barrier", "0 1000 - 3 5 4 - -"},
        Accepted{"# Benchmarking Ibcast\n#bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] overlap[%]\n"
                 "4 10 9 5 6 33.00\n",
                 "imb-ibcast", "4 10 5 - - - - -"}));

INSTANTIATE_TEST_SUITE_P(
    Osu, OneRow,
    testing::Values(
        Accepted{"# OSU MPI Latency Test v3.1.1\n# Size            Latency (us)\n0                         1.25\n",
                 "osu-latency", "0 - 1.25 - - - - -"},
        Accepted{"# OSU MPI-ROCM Latency Test v7.4\n# Send Buffer on DEVICE (D)\n# Datatype: MPI_CHAR.\n"
                 "# Size       Avg Latency (us)\n1 3.5\n",
                 "osu-latency", "1 - - - - 3.5 - -"},
        Accepted{"# OSU MPI Bandwidth Test (Version 2.0)\n# Size\t\tBandwidth (MB/s)\n1\t\t0.5\n", "osu-bw",
                 "1 - - - - - 0.5 -"},
        Accepted{"# OSU MPI Bi-Directional Bandwidth Test v6.1\n# Size      Bandwidth (MB/s)        Validation\n"
                 "2 9.5 Pass\n",
                 "osu-bibw", "2 - - - - - 9.5 -"},
        Accepted{"# OSU MPI Bandwidth Test v7.2\n# Datatype: MPI_CHAR.\n"
                 "# Size      Bandwidth (MB/s) P50 Tail BW(MB/s) P90 Tail BW(MB/s) P99 Tail BW(MB/s)\n2 9.5 9 8 7\n",
                 "osu-bw", "2 - - - - - 9.5 -"},
        Accepted{"# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n# [ pairs: 4 ] [ window size: 64 ]\n"
                 "# Size                  MB/s        Messages/s\n1 40.5 40500000.25\n",
                 "osu-mbw_mr", "1 - - - - - 40.5 40500000.25"},
        Accepted{"# OSU MPI Multi Latency Test v5.9\n# Size          Latency (us)\n1 2.5\n", "osu-multi_lat",
                 "1 - 2.5 - - - - -"},
        Accepted{"# OSU MPI Allreduce Latency Test v5.9\n"
                 "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n4 8 7 9 1000\n",
                 "osu-allreduce", "4 1000 - 7 9 8 - -"},
        Accepted{"# OSU MPI All-to-All Personalized Exchange Latency Test v5.9\n# Size       Avg Latency(us)\n4 8\n",
                 "osu-alltoall", "4 - - - - 8 - -"},
        Accepted{"# OSU MPI Broadcast Latency Test v7.3\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n4 8\n",
                 "osu-bcast", "4 - - - - 8 - -"},
        Accepted{"# OSU MPI Barrier Latency Test v5.9\n# Avg Latency(us)\n             1.75\n\n2 nodes\n0\n",
                 "osu-barrier", "0 - - - - 1.75 - -"},
        Accepted{"# OSU MPI Non-blocking Broadcast Latency Test v5.9\n"
                 "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
                 "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n4 9 5 4 0.00\n",
                 "osu-ibcast", "4 - 4 - - - - -"},
        Accepted{"# OSU MPI Non-blocking All-to-All Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
                 "# Size Overall(us) Compute(us) Coll. Init(us) MPI_Test(us) MPI_Wait(us) Pure Comm.(us) Min Comm.(us) "
                 "Max Comm.(us) Overlap(%) P50 Tail Lat(us) P90 Tail Lat(us) P99 Tail Lat(us)\n"
                 "4 9 5 1 1 1 4 3 6 0.00 7 8 9\n",
                 "osu-ialltoall", "4 - 4 - - - - -"},
        Accepted{"# OSU MPI_Put Bandwidth Test v5.9\n# Window creation: MPI_Win_allocate\n"
                 "# Size      Bandwidth (MB/s)\n4 8\n",
                 "osu-put_bw", "4 - - - - - 8 -"},
        Accepted{"# OSU MPI Neighborhood Allgather Latency Test v7.4\n# Size Avg Latency(us)\n4 8\n",
                 "osu-neighborhood_allgather", "4 - - - - 8 - -"}));

INSTANTIATE_TEST_SUITE_P(
    Csv, OneRow,
    testing::Values(Accepted{"bytes,latency_us\n8,1.5\n", "", "8 - 1.5 - - - - -"},
                    Accepted{"# OSU MPI Latency Test v5.9\nbytes,latency_us\n8,1.5\n", "", "8 - 1.5 - - - - -"},
                    Accepted{"bytes,mbytes_per_s\r\n8,0.5\r\n", "", "8 - - - - - 0.5 -"},
                    Accepted{"bytes,repetitions,t_min_us,t_max_us,t_avg_us,mbytes_per_s\n8,1000,1,3,2,5.5", "",
                             "8 1000 - 1 3 2 5.5 -"}));

// The same table, as launchers, terminals and other systems leave it.
INSTANTIATE_TEST_SUITE_P(
    Dirt, OneRow,
    testing::Values(
        Accepted{"0: # OSU MPI Latency Test v5.9\n0: # Size Latency (us)\n0: 8 1.5\n1: bye\n", "osu-latency",
                 "8 - 1.5 - - - - -"},
        Accepted{"[0] # OSU MPI Latency Test v5.9\n[0] # Size Latency (us)\n[0] 8 1.5\n", "osu-latency",
                 "8 - 1.5 - - - - -"},
        Accepted{"[1,0]<stdout>:# OSU MPI Latency Test v5.9\n[1,0]<stdout>:# Size Latency (us)\n"
                 "[1,1]<stderr>:careful\n[1,0]<stdout>:8 1.5\n",
                 "osu-latency", "8 - 1.5 - - - - -"},
        Accepted{"\xef\xbb\xbf# OSU MPI Latency Test v5.9\r\n# Size Latency (us)\r\n8 1.5\r\n", "osu-latency",
                 "8 - 1.5 - - - - -"},
        Accepted{"\x1b[1;32m# OSU MPI Latency Test v5.9\x1b[0m\n\x1b]0;title\a# Size\tLatency (us)\n\x1b[K8\t1.5\x1b(B",
                 "osu-latency", "8 - 1.5 - - - - -"},
        Accepted{"# OSU MPI Latency Test v5.9\n# Size Latency (us)\n8 1.5\nreal 12.5\nuser 0.1\n12:00:01 the end\n",
                 "osu-latency", "8 - 1.5 - - - - -"}));

TEST(ImbLog, TellsVersionProcessesAndLine) {
  const auto table =
      tables_of("loading modules\n" + imb("Intel(R) MPI Benchmarks 2021.3", "PingPong", ping_pong)).front();
  EXPECT_EQ(table.file, "job.out");
  EXPECT_EQ(table.line, 24U);
  EXPECT_EQ(table.suite, Suite::imb);
  EXPECT_EQ(table.benchmark, "imb-pingpong");
  EXPECT_EQ(table.printed_name, "PingPong");
  EXPECT_EQ(table.version, "2021.3");
  EXPECT_EQ(table.processes, 2U);
  EXPECT_EQ(table.groups, std::nullopt);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(show(table.rows.back()), "1000000 40 500 - - - 2000 -");
}

TEST(ImbLog, HasAMegabyteByVersion) {
  const std::string bcast = "# ( #processes = 16 ) \n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                            "4 10 1 2 1.5\n";
  const auto mbyte = [&](const std::string& banner) {
    return tables_of(imb(banner, "Bcast", bcast)).front().bytes_per_mbyte;
  };
  EXPECT_EQ(mbyte("Intel (R) MPI Benchmark Suite V2.3"), 1048576);
  EXPECT_EQ(mbyte("Intel (R) MPI Benchmarks 4.1 Update 1"), 1048576);
  EXPECT_EQ(mbyte("Intel(R) MPI Benchmarks 2017"), std::nullopt);
  EXPECT_EQ(mbyte("Intel (R) MPI Benchmarks 2018"), 1e6);
  EXPECT_EQ(mbyte("Intel(R) MPI Benchmarks 2019 Update 6"), 1e6);
  EXPECT_EQ(tables_of(imb("Intel (R) MPI Benchmark Suite V2.3", "Bcast", bcast)).front().version, "2.3");
  EXPECT_EQ(tables_of(imb("Intel (R) MPI Benchmark Suite V2.3", "Bcast", bcast)).front().processes, 16U);
}

TEST(ImbLog, HasAMegabyteByItsRowsFirst) {
  const std::string head = "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n";
  const auto mbyte = [&](const std::string& row) {
    return tables_of(imb("Intel(R) MPI Benchmarks 2017", "Sendrecv", head + row)).front().bytes_per_mbyte;
  };
  EXPECT_EQ(mbyte("1048576 10 90 100 95 20000.00\n"), 1048576); // 2 messages
  EXPECT_EQ(mbyte("1000000 10 90 100 95 20000.00\n"), 1e6);
  EXPECT_EQ(mbyte("1000000 10 90 100 95 23456.00\n"), std::nullopt);
}

TEST(ImbLog, OfGroupsTellsAllProcesses) {
  const auto table =
      tables_of(imb("Intel(R) MPI Benchmarks 2019 Update 6", "Multi-PingPong",
                    "# ( 3 groups of 2 processes each running simultaneous ) \n# Group  0:     0    1\n#\n"
                    "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n8 10 1 2 1.5 4\n"))
          .front();
  EXPECT_EQ(table.benchmark, "imb-pingpong");
  EXPECT_EQ(table.printed_name, "Multi-PingPong");
  EXPECT_EQ(table.groups, 3U);
  EXPECT_EQ(table.processes, 6U);
}

const std::string two_groups = "# Benchmarking Multi-PingPong\n"
                               "# ( 2 groups of 2 processes each running simultaneous ) \n"
                               "Group #bytes #repetitions t[usec] Mbytes/sec\n\n0 8 10 2 4\n1 8 10 4 2\n\n"
                               "0 16 10 5 3.2\n1 16 10 4 4\n";

TEST(ImbLog, MayHaveARowForEachGroup) {
  const auto table = tables_of(two_groups).front();
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[1].group, 1U);
  EXPECT_EQ(table.rows[1].size, Bytes{8});
  EXPECT_EQ(table.rows[2].group, 0U);
  EXPECT_EQ(table.rows[2].size, Bytes{16});
}

TEST(ImbLog, CountsTheSizesThatFailed) {
  const auto table = tables_of("# Benchmarking Alltoall\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                               "4 10 1 2 1.5\n8 out-of-mem.; needed X=   2.100 GB; use flag \"-mem X\"\n"
                               "16 int-overflow.; The production rank*size caused int overflow for given sample\n"
                               "32 time-out.; Time limit is over\n")
                         .front();
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.failed_rows, 3U);
}

TEST(Log, MayHoldSeveralTablesOfBothSuites) {
  const auto tables = tables_of(
      imb("Intel(R) MPI Benchmarks 2019", "PingPong",
          "# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n0 10 1 0\n\n\n"
          "#-----\n# Benchmarking Barrier \n# #processes = 4 \n# ( 12 additional processes waiting in MPI_Barrier)\n"
          "#-----\n #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 1000 1 3 2\n\n"
          "# All processes entering MPI_Finalize\n") +
      "+ srun osu_bw\n\n# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n1 2.5\n2 5.0\n");
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[1].benchmark, "imb-barrier");
  EXPECT_EQ(tables[1].version, "2019");
  EXPECT_EQ(tables[1].processes, 4U);
  EXPECT_EQ(tables[2].benchmark, "osu-bw");
  EXPECT_EQ(tables[2].version, "5.9");
  EXPECT_EQ(tables[2].processes, std::nullopt);
  EXPECT_EQ(tables[2].bytes_per_mbyte, 1e6);
}

TEST(Log, MayHaveTextWithinATable) {
  const auto table =
      tables_of("# OSU MPI Latency Test v5.9\n# Size Latency (us)\n0 1.5\n[ 0.83, 0.97, 65.19 ]\n\n"
                "-----\nWARNING: no huge pages\n\n-----\n%\n8 1.75\n\nslurmstepd: error: 1 task killed\n")
          .front();
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows.back().size, Bytes{8});
}

TEST(Log, IsReadFromAFile) {
  const auto file = scratch_file("kakehashi-job.csv");
  std::ofstream(file, std::ios::binary) << "bytes,mbytes_per_s\n1,0.5\n2,1.25\n";
  const auto tables = read_logs(file);
  std::filesystem::remove(file);
  ASSERT_TRUE(tables.ok());
  ASSERT_EQ(tables->size(), 1U);
  EXPECT_EQ(tables->front().file, file);
  EXPECT_EQ(tables->front().rows.size(), 2U);
  EXPECT_EQ(tables->front().benchmark, "");
  EXPECT_EQ(tables->front().suite, Suite::none);
}

std::string show(const Result<Curve>& curve) {
  if (!curve)
    return to_text(curve.errors().front());
  std::string text = curve->name + ":";
  for (const auto& point : curve->points)
    text += fmt::format(" {}={}", point.size.count, point.value);
  return text;
}

TEST(CurveOfALog, TakesTheColumnOfTheMetric) {
  const auto ping = tables_of("# Benchmarking PingPong\n" + ping_pong).front();
  EXPECT_EQ(show(curve_of(ping, Metric::time)), "job: 0=1.5 1000000=500");
  EXPECT_EQ(show(curve_of(ping, Metric::bandwidth)), "job: 0=0 1000000=2000");
  const auto reduced = tables_of("# Size Avg Latency(us) Min Latency(us) Max Latency(us)\n4 8 7 9\n").front();
  EXPECT_EQ(show(curve_of(reduced, Metric::time)), "job: 4=8");
}

TEST(CurveOfALog, TakesTheSlowestGroup) {
  const auto table = tables_of(two_groups).front();
  EXPECT_EQ(show(curve_of(table, Metric::time)), "job: 8=4 16=5");
  EXPECT_EQ(show(curve_of(table, Metric::bandwidth)), "job: 8=2 16=3.2");
}

TEST(CurveOfALog, NeedsTheColumn) {
  EXPECT_EQ(show(curve_of(tables_of("# Size Bandwidth (MB/s)\n4 8\n").front(), Metric::time)),
            "job.out: line 1: got a table without times, expected a column such as \"t[usec]\" (IMB), \"Avg "
            "Latency(us)\" (OSU) or \"latency_us\" (CSV)");
  EXPECT_EQ(show(curve_of(tables_of("\nbytes,latency_us\n4,8\n").front(), Metric::bandwidth)),
            "job.out: line 2: got a table without bandwidths, expected a column such as \"Mbytes/sec\" (IMB), "
            "\"Bandwidth (MB/s)\" (OSU) or \"mbytes_per_s\" (CSV)");
}

} // namespace
} // namespace kakehashi
