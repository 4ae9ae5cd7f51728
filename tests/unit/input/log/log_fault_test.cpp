#include "input/log/log_reader.hpp"

#include <gtest/gtest.h>
#include <ostream>

namespace kakehashi {
namespace log_fault_test {

std::string faults_of(const std::string& text) {
  const auto tables = parse_logs(text, "job.out");
  if (tables)
    return "accepted";
  std::string faults;
  for (const auto& error : tables.errors())
    faults += (faults.empty() ? "" : "\n") + to_text(error);
  return faults;
}

std::string no_table(const std::string& line, const std::string& lines) {
  return "job.out: line " + line + ": got " + lines +
         " without a table, expected a header such as \"#bytes #repetitions t[usec] Mbytes/sec\" (IMB), "
         "\"# Size Latency (us)\" (OSU), \"# size count type redop root time algbw busbw\" (nccl-tests) "
         "or \"bytes,latency_us\" (CSV)";
}

struct Rejected {
  std::string text;
  std::string faults;
};

// Keeps the names of the tests plain.
void PrintTo(const Rejected& rejected, std::ostream* out) {
  *out << rejected.faults.substr(0, rejected.faults.find(": ", std::string("job.out: ").size()));
}

class FaultyLog : public testing::TestWithParam<Rejected> {};

TEST_P(FaultyLog, IsRefusedWithAllThatIsWrong) {
  EXPECT_EQ(faults_of(GetParam().text), GetParam().faults);
}

const std::string latency = "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n";
const std::string ping_pong = "#bytes #repetitions t[usec] Mbytes/sec\n";

INSTANTIATE_TEST_SUITE_P(WithoutATable, FaultyLog,
                         testing::Values(Rejected{"", no_table("1", "0 lines")},
                                         Rejected{"srun: error: node7 down\n", no_table("1", "1 line")},
                                         Rejected{"# OSU MPI Latency Test v5.9\n\nKilled\n", no_table("3", "3 lines")},
                                         Rejected{"#SBATCH -n 2\n# Size matters\n# Latency is 3\n1 2\n",
                                                  no_table("4", "4 lines")},
                                         Rejected{"size,latency\n1,2\n", no_table("2", "2 lines")},
                                         Rejected{"bytes,colour\n1,2\n", no_table("2", "2 lines")},
                                         Rejected{std::string("\0\x01\xff\xfe#\0s\x1b", 8), no_table("1", "1 line")}));

INSTANTIATE_TEST_SUITE_P(
    OutOfRange, FaultyLog,
    testing::Values(
        Rejected{latency + "1 1e300\n", "job.out: line 3: got \"1e300\", expected 0, or between 1e-9 and 1e12, "
                                        "in the column \"Latency (us)\""},
        Rejected{latency + "1125899906842625 1\n",
                 "job.out: line 3: got \"1125899906842625\", expected at most 1 PiB in the column \"Size\""}));

INSTANTIATE_TEST_SUITE_P(WithoutRows, FaultyLog,
                         testing::Values(Rejected{latency, "job.out: line 2: there are no rows below the header"},
                                         Rejected{latency + "slurmstepd: killed\n" + latency + "1 2\n",
                                                  "job.out: line 2: there are no rows below the header"},
                                         Rejected{"bytes,latency_us",
                                                  "job.out: line 1: there are no rows below the header"}));

INSTANTIATE_TEST_SUITE_P(
    WithABrokenRow, FaultyLog,
    testing::Values(
        Rejected{latency + "1 1.5\n2\n", "job.out: line 4: got 1 column, expected 2 as in the header"},
        Rejected{latency + "1 1.5 7\n2 1.6\n", "job.out: line 3: got 3 columns, expected 2 as in the header"},
        Rejected{latency + "1 abc\n2 1.6\n",
                 "job.out: line 3: got \"abc\", expected a measured value in the column \"Latency (us)\""},
        Rejected{latency + "1 1.5\n2 abc\n", // the last one, too
                 "job.out: line 4: got \"abc\", expected a measured value in the column \"Latency (us)\""},
        Rejected{latency + "1 1,5\n2 1.6\n",
                 "job.out: line 3: got \"1,5\", expected a measured value in the column \"Latency (us)\""},
        Rejected{latency + "1 nan\n",
                 "job.out: line 3: got \"nan\", expected a measured value in the column \"Latency (us)\""},
        Rejected{latency + "1 -1.5\n",
                 "job.out: line 3: got \"-1.5\", expected a measured value in the column \"Latency (us)\""},
        Rejected{latency + "1 1.5\n2.5 1.5\n4 1.5\n",
                 "job.out: line 4: got \"2.5\", expected a whole number in the column \"Size\""},
        Rejected{latency + "1 1.5\n99999999999999999999 1.5\n128 1.5\n",
                 "job.out: line 4: got \"99999999999999999999\", expected a whole number in the column \"Size\""},
        Rejected{ping_pong + "1 1000 1.5 0.7\n2 1k 1.5 1.3\n",
                 "job.out: line 3: got \"1k\", expected a whole number in the column \"#repetitions\""},
        Rejected{ping_pong + "1 1000 1.5 0.7\nx2 1000 1.5 1.3\n4 1000 1.5 2.6\n",
                 "job.out: line 3: got \"x2\", expected a whole number in the column \"#bytes\""},
        Rejected{ping_pong + "1 1000 1.5 0.7\n\n2 1000\n4 1000 1.5 2.6\n",
                 "job.out: line 4: got 2 columns, expected 4 as in the header"},
        Rejected{"bytes,latency_us\n1,1.5\n2,\n4,1.5\n",
                 "job.out: line 3: got \"\", expected a measured value in the column \"latency_us\""},
        Rejected{"bytes,latency_us\n1,1.5\n2,1.5,\n", "job.out: line 3: got 3 columns, expected 2 as in the header"}));

INSTANTIATE_TEST_SUITE_P(WithSizesThatDoNotGrow, FaultyLog,
                         testing::Values(Rejected{latency + "8 1.5\n8 1.5\n",
                                                  "job.out: line 4: got 8 B after 8 B, expected growing sizes"},
                                         Rejected{latency + "8 1.5\n16 1.5\n\n4 1.5\n",
                                                  "job.out: line 6: got 4 B after 16 B, expected growing sizes"},
                                         Rejected{"Group #bytes #repetitions t[usec]\n0 8 1 2\n1 8 1 2\n1 8 1 2\n",
                                                  "job.out: line 4: got 8 B after 8 B, expected growing sizes"}));

TEST(LogFaults, AreAllToldInOrder) {
  EXPECT_EQ(faults_of(latency + "1\n2 1.5\n1 1.5\n" + latency + "1 abc\n"),
            "job.out: line 3: got 1 column, expected 2 as in the header\n"
            "job.out: line 5: got 1 B after 2 B, expected growing sizes\n"
            "job.out: line 8: got \"abc\", expected a measured value in the column \"Latency (us)\"");
}

TEST(LogFaults, AreToldUpToTwenty) {
  std::string text = latency;
  for (int i = 0; i < 100; ++i)
    text += "7\n";
  EXPECT_EQ(parse_logs(text, "job.out").errors().size(), 20U);
}

TEST(LogFaults, AreFoundInHugeLines) {
  const std::string line(5'000'000, '7');
  EXPECT_EQ(faults_of(line), no_table("1", "1 line"));
  EXPECT_EQ(faults_of(latency + line + "\n"), "job.out: line 2: there are no rows below the header");
  EXPECT_EQ(faults_of(latency + "1" + std::string(5'000'000, ' ') + "2\n"),
            "job.out: line 3: got 1 column, expected 2 as in the header");
}

TEST(LogFaults, IncludeTooManyRows) {
  std::string text = latency;
  for (int i = 0; i < 400'000; ++i)
    text += std::to_string(i) + " 1\n";
  EXPECT_EQ(faults_of(text), "job.out: line 300001: got more rows, expected at most 300000 in all tables");
}

TEST(LogFaults, IncludeAMissingFile) {
  const auto tables = read_logs("no/such/job.out");
  ASSERT_FALSE(tables.ok());
  EXPECT_EQ(to_text(tables.errors().front()), "no/such/job.out: no such file");
}

} // namespace log_fault_test
} // namespace kakehashi
