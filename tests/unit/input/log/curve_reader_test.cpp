#include "input/json/patched.hpp"
#include "input/log/log_reader.hpp"
#include "scratch_folder.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Curve, KeepsWhatIsBehindADotUnlessItIsAUsualEnding) {
  EXPECT_EQ(curve_name("logs/latency-ib.csv"), "latency-ib");
  EXPECT_EQ(curve_name("logs/osu_latency.4711"), "osu_latency.4711");
  EXPECT_EQ(curve_name("osu.4712.log"), "osu.4712");
}

TEST(Curve, TakesTheColumnOfItsMetric) {
  struct Case {
    const char* text;
    Metric metric;
    double at_eight;
  };
  for (const auto& [text, metric, at_eight] :
       {Case{"bytes,latency_us\n0,1\n8,1.25\n", Metric::time, 1.25},
        Case{"bytes,mbytes_per_s\n8,6.5", Metric::bandwidth, 6.5},
        Case{"bytes,t_min_us,t_max_us,t_avg_us,mbytes_per_s\n8,1,3,2,4\n", Metric::time, 2},
        Case{"bytes,t_min_us,t_max_us,t_avg_us,mbytes_per_s\n8,1,3,2,4\n", Metric::bandwidth, 4},
        Case{"latency_us,bytes\r\n2e1,8\r\n\r\n", Metric::time, 20},
        Case{"bytes,latency_us\n\n8,0\n", Metric::time, 0}}) {
    const auto curve = parse_curve(text, "curves/x.csv", metric);
    ASSERT_EQ(errors_of(curve), "no errors") << text;
    EXPECT_EQ(curve->name, "x");
    EXPECT_EQ(curve->at(Bytes{8}), at_eight) << text;
    EXPECT_EQ(curve->at(Bytes{7}), std::nullopt);
  }
}

TEST(Curve, IsRefusedWithTheLineOfEachFault) {
  const std::string header_of_times = ", expected a header with the columns bytes and latency_us or t_avg_us";
  const std::string top = "bytes,latency_us\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "x.csv: line 1: got \"\"" + header_of_times},
      {"8,1.5\n", "x.csv: line 1: got \"8,1.5\"" + header_of_times},
      {"bytes,mbytes_per_s\r\n8,1.5\n", "x.csv: line 1: got \"bytes,mbytes_per_s\"" + header_of_times},
      {"\xEF\xBB\xBF"
       "bytes,latency_us\n",
       "x.csv: line 1: got \"\xEF\xBB\xBF"
       "bytes,latency_us\"" +
           header_of_times},
      {"bytes\xFF\n", "x.csv: line 1: got \"bytes\xEF\xBF\xBD\"" + header_of_times},
      {top, "x.csv: line 1: there are no rows below the header"},
      {top + "8\n", "x.csv: line 2: got 1 column, expected 2"},
      {top + "8,1,\n", "x.csv: line 2: got 3 columns, expected 2"},
      {top + "8,\n", "x.csv: line 2: got \"\", expected a measured value"},
      {top + "8 B,1\n", "x.csv: line 2: got \"8 B\", expected a number of bytes"},
      {top + "-8,1\n", "x.csv: line 2: got \"-8\", expected a number of bytes"},
      {top + "99999999999999999999,1\n", "x.csv: line 2: got \"99999999999999999999\", expected a number of bytes"},
      {top + "8,nan\n", "x.csv: line 2: got \"nan\", expected a measured value"},
      {top + "8,inf\n", "x.csv: line 2: got \"inf\", expected a measured value"},
      {top + "8,1e400\n", "x.csv: line 2: got \"1e400\", expected a measured value"},
      {top + "8,1e300\n", "x.csv: line 2: got \"1e300\", expected 0, or between 1e-9 and 1e12"},
      {top + "8,1e-300\n", "x.csv: line 2: got \"1e-300\", expected 0, or between 1e-9 and 1e12"},
      {top + "1125899906842625,1\n", "x.csv: line 2: got \"1125899906842625\", expected at most 1 PiB"},
      {top + "8,-1\n", "x.csv: line 2: got \"-1\", expected a measured value"},
      {top + "8,1 us\n", "x.csv: line 2: got \"1 us\", expected a measured value"},
      {top + "8,1\n8,1\n", "x.csv: line 3: got 8 B after 8 B, expected growing sizes"},
      {top + "8,1\n\n4,1\n", "x.csv: line 4: got 4 B after 8 B, expected growing sizes"},
      {top + "8,x\n9\n", "x.csv: line 2: got \"x\", expected a measured value\n"
                         "x.csv: line 3: got 1 column, expected 2"},
  };
  for (const auto& [text, errors] : cases)
    EXPECT_EQ(errors_of(parse_curve(text, "x.csv", Metric::time)), errors) << text;
  EXPECT_EQ(errors_of(parse_curve("bytes,latency_us\n1,1\n", "x.csv", Metric::bandwidth)),
            "x.csv: line 1: got \"bytes,latency_us\", expected a header with the columns bytes and mbytes_per_s");
}

TEST(Curve, IsReadFromAFile) {
  const auto file = scratch_file("kakehashi-curve.csv");
  std::ofstream(file) << "bytes,latency_us\n0,3.5\n";
  const auto curve = read_curve(file, Metric::time);
  ASSERT_EQ(errors_of(curve), "no errors");
  EXPECT_EQ(curve->name, "kakehashi-curve");
  EXPECT_EQ(curve->at(Bytes{0}), 3.5);
  EXPECT_EQ(errors_of(read_curve("no-such.csv", Metric::time)), "no-such.csv: no such file");
}

} // namespace
} // namespace kakehashi
