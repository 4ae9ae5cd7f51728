#include "report/format.hpp"
#include "result/comparison.hpp"

#include <gtest/gtest.h>
#include <sstream>

namespace kakehashi {
namespace {

RecordedRun recorded(std::string name, std::size_t ranks, const char* counts) {
  RecordedRun run{std::move(name), "heat", "MPICH", ranks, counts, 2e6, {}};
  CallLine line;
  line.call = "reduce-scatter";
  line.communicator = "world";
  line.calls = 3 * ranks;
  line.bytes = 8e6;
  line.time = Seconds{static_cast<double>(ranks) * 2e-3};
  run.profile.lines = {line};
  run.profile.in_mpi.assign(ranks, Seconds{2e-3});
  run.profile.working.assign(ranks, Seconds{1e-3});
  return run;
}

std::string table_of(RecordedRun a, RecordedRun b) {
  std::ostringstream out;
  write_report(report_of(compare(std::move(a), std::move(b))), *find_format("table"), {out});
  return out.str();
}

TEST(RecordingComparisonReport, ShowsMeansWhereRanksDiffer) {
  EXPECT_EQ(
      table_of(recorded("a", 2, "time"), recorded("b", 4, "time")),
      "# A: a: heat, 2 ranks, MPICH\n"
      "# B: b: heat, 4 ranks, MPICH\n"
      "# A has 2 ranks and B 4, so calls and MB are those of a rank on average, too\n"
      "# a rank on average\n"
      "  # A (ms)     B (ms)     change  what\n"
      "     3.000      3.000     +0.0 %  in all\n"
      "     1.000      1.000     +0.0 %  work, and what is neither work nor MPI, such as files\n"
      "     2.000      2.000     +0.0 %  in MPI\n"
      "     3.000      3.000     +0.0 %  in all, of the rank that has most\n"
      "# MPI calls\n"
      "  # A (ms)     B (ms) change (ms)    calls A    calls B       MB A       MB B  call, communicator\n"
      "     2.000      2.000      +0.000        3.0        3.0      4.000      2.000  MPI_Reduce_scatter, world\n");
}

TEST(RecordingComparisonReport, ComparesWorkOnlyIfItIsCountedAlike) {
  const auto mixed = table_of(recorded("a", 2, "time"), recorded("b", 2, "instructions"));
  EXPECT_NE(mixed.find("# work of A is counted in time, and of B in instructions, which cannot be compared\n"),
            std::string::npos);
  EXPECT_EQ(mixed.find("work,"), std::string::npos);
  const auto counted = table_of(recorded("a", 2, "instructions"), recorded("b", 2, "instructions"));
  EXPECT_NE(counted.find("     2.000      2.000     +0.0 %  work, in million instructions\n"), std::string::npos);
  EXPECT_EQ(counted.find("in all"), std::string::npos);
}

} // namespace
} // namespace kakehashi
