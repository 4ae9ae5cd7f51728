#include "input/log/log_reader.hpp"

#include "scratch_folder.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::string write(const std::string& name, const std::string& text) {
  const auto file = scratch_file(name);
  std::ofstream(file) << text;
  return file;
}

std::string table(const std::string& benchmark, int processes, double time) {
  return "#----\n# Benchmarking " + benchmark + "\n# #processes = " + std::to_string(processes) +
         "\n#----\n#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n8 1000 0.5 9.5 " + std::to_string(time) +
         "\n";
}

Benchmark benchmark(const std::string& name) {
  Benchmark wanted;
  wanted.name = name;
  return wanted;
}

std::string fault_of(const std::string& file, const std::string& name, std::optional<std::size_t> ranks) {
  const auto curve = read_reference(file, benchmark(name), ranks);
  return curve ? "" : to_text(curve.errors().front()).substr(file.size());
}

TEST(ReferenceReader, TakesTheTableOfTheBenchmarkAndItsProcesses) {
  const auto file =
      write("job.out", table("Allreduce", 2, 1) + table("Allreduce", 4, 2) + table("Reduce_scatter", 4, 3));
  EXPECT_EQ(read_reference(file, benchmark("imb-allreduce"), 4)->at(Bytes{8}), 2);
  EXPECT_EQ(read_reference(file, benchmark("imb-reduce-scatter"), 4)->at(Bytes{8}), 3);
  EXPECT_EQ(fault_of(file, "imb-allreduce", 8),
            ": got imb-allreduce of 2 processes, imb-allreduce of 4 processes, imb-reduce_scatter of 4 processes, "
            "expected one table of imb-allreduce of 8 processes");
  EXPECT_EQ(fault_of(file, "imb-allreduce", std::nullopt),
            ": got 2 tables, at lines 5 and 11, expected one table of imb-allreduce");
}

TEST(ReferenceReader, TakesOsuWhichStatesNoProcesses) {
  const auto file =
      write("osu.out", "# OSU MPI Allreduce Latency Test v5.6.2\n# Size       Avg Latency(us)\n4   5.5\n");
  EXPECT_EQ(read_reference(file, benchmark("osu-allreduce"), 16)->at(Bytes{4}), 5.5);
}

TEST(ReferenceReader, GivesBandwidthsInMillionsOfBytes) {
  const auto file = write("bw.out", "# OSU MPI Bandwidth Test v5.6\n# Size      Bandwidth (MB/s)\n64   1048.576\n");
  auto wanted = benchmark("osu-bw");
  wanted.megabyte = 1 << 20; // as it is shown, not as it is compared
  EXPECT_DOUBLE_EQ(*read_reference(file, wanted, 2)->at(Bytes{64}), 1048.576);
}

TEST(ReferenceReader, StillTakesCsv) {
  const auto file = write("curve.csv", "bytes,t_avg_us\n8,7\n");
  EXPECT_EQ(read_reference(file, benchmark("imb-allreduce"), 4)->at(Bytes{8}), 7);
}

} // namespace
} // namespace kakehashi
