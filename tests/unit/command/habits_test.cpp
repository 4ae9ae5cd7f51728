#include "command/command_line.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Habits, AreUsualValuesOfOptions) {
  const auto habits =
      parse_habits("# mine\njobs = 3\n\nformat=csv   # for scripts\ncolour = no\nquiet = yes\n", "config");
  ASSERT_TRUE(habits);
  EXPECT_FALSE(habits->has_colour);
  int jobs = 0;
  bool quiet = false;
  std::string format = "table", other = "table";
  const OptionRows rows{
      {"--jobs", "", &jobs}, {"--quiet", "", &quiet}, {"--format", "", &format, OneOf{"table", "csv"}}};
  apply(*habits, rows.all);
  EXPECT_EQ(jobs, 3);
  EXPECT_TRUE(quiet);
  EXPECT_EQ(format, "csv");
  const OptionRows without{"--format", "", &other, OneOf{"table", "json"}};
  apply(*habits, without.all);
  EXPECT_EQ(other, "table");
}

TEST(Habits, AreRefusedLineByLine) {
  const auto habits = parse_habits("jobs = 0\ncolour = maybe\nspeed = 3\nx\n", "config");
  ASSERT_FALSE(habits);
  std::string text;
  for (const auto& error : habits.errors())
    text += to_text(error) + "\n";
  EXPECT_EQ(text, "config: line 1: got \"jobs = 0\", expected jobs from 1 to 1024\n"
                  "config: line 2: got \"colour = maybe\", expected colour = yes or no\n"
                  "config: line 3: got \"speed = 3\", expected jobs, format, colour or quiet, \"=\" and a value\n"
                  "config: line 4: got \"x\", expected jobs, format, colour or quiet, \"=\" and a value\n");
}

} // namespace
} // namespace kakehashi
