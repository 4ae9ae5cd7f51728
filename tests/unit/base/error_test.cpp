#include "base/error.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(ErrorText, NamesFilePlaceFindingAndExpectation) {
  const Error error{ErrorKind::input, "platforms/x.json", "/links/3/bandwidth",
                    mismatch("\"10 Gb\"", "a rate such as \"10 Gbit/s\" or \"1.25 GB/s\""), ""};
  EXPECT_EQ(
      to_text(error),
      "platforms/x.json: /links/3/bandwidth: got \"10 Gb\", expected a rate such as \"10 Gbit/s\" or \"1.25 GB/s\"");
}

TEST(ErrorText, EndsWithTheSuggestion) {
  EXPECT_EQ(to_text({ErrorKind::usage, "", "", "unknown command \"simulat\"", "simulate"}),
            "unknown command \"simulat\" (did you mean \"simulate\"?)");
}

TEST(ExitCode, IsOneOnlyIfARunFailed) {
  EXPECT_EQ(exit_code(Errors{{ErrorKind::run, "", "", "", ""}}), 1);
  EXPECT_EQ(exit_code(Errors{{ErrorKind::run, "", "", "", ""}, {ErrorKind::input, "", "", "", ""}}), 2);
  EXPECT_EQ(exit_code(Errors{{ErrorKind::usage, "", "", "", ""}}), 2);
}

TEST(Suggestion, IsTheClosestWordWithinAThirdOfItsLength) {
  const std::vector<std::string> words{"bandwidth", "latency", "lanes"};
  EXPECT_EQ(closest("bandwith", words), "bandwidth");
  EXPECT_EQ(closest("latnecy", words), "latency");
  EXPECT_EQ(closest("colour", words), "");
  EXPECT_EQ(closest("", words), "");
}

} // namespace
} // namespace kakehashi
