#include "input/trace/goal/goal_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Kind = ScheduledOperation::Kind;

TEST(Goal, ReadsOperationsAndDependencies) {
  const auto schedule = parse_goal("num_ranks 2 // two\n"
                                   "rank 1 { }\n"
                                   "rank 0 {\n"
                                   "l1: calc 1500 cpu 0\n"
                                   "send 10b to 1 /* without label */ tag 3 cpu 0 nic 1\n/* and\n"
                                   "so on */\n"
                                   "l3: recv 20b from -1 tag -1\r\n"
                                   "recv 5 b from 1\n"
                                   "l3 requires l1\n"
                                   "l1 irequires l4\n"
                                   "l4: calc 0\n"
                                   "}\n",
                                   "x.goal", 2);
  ASSERT_TRUE(schedule) << to_text(schedule.errors().front());
  EXPECT_TRUE(schedule->ranks[1].operations.empty());
  const auto& operations = schedule->ranks[0].operations;
  ASSERT_EQ(operations.size(), 5u);
  EXPECT_EQ(operations[0].kind, Kind::work);
  EXPECT_DOUBLE_EQ(operations[0].time.value, 1.5e-6);
  EXPECT_EQ(operations[0].line, 4u);
  EXPECT_EQ(operations[1].kind, Kind::send);
  EXPECT_EQ(operations[1].size, Bytes{10});
  EXPECT_EQ(operations[1].peer, 1);
  EXPECT_EQ(operations[1].tag, 3);
  EXPECT_EQ(operations[2].kind, Kind::receive);
  EXPECT_EQ(operations[2].peer, std::nullopt);
  EXPECT_EQ(operations[2].tag, std::nullopt);
  EXPECT_EQ(operations[2].line, 8u);
  EXPECT_EQ(operations[3].tag, 0);
}

TEST(Goal, TellsEveryFaultWithItsLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"l1: cal 1", "line 3: got \"cal\", expected calc, send, recv or a label"},
      {"calc", "line 3: got the end of the line, expected a time in ns"},
      {"calc -1", "line 3: got \"-1\", expected a time in ns"},
      {"send -1b to 1", "line 3: got \"-1\", expected a size such as 10b"},
      {"send 2000000000000000b to 1", "line 3: got 2000000000000000 B, expected at most 1 PiB"},
      {"send 1b to 1 tag -1", "line 3: got \"-1\", expected a number"},
      {"send 1b to 1 tag 3000000000", "line 3: got number 3000000000, expected a smaller number"},
      {"send 10 to 1", "line 3: got \"to\", expected a size such as 10b"},
      {"send 10b from 1", "line 3: got \"from\", expected to"},
      {"send 10b to -1", "line 3: got rank -1, expected a rank from 0 to 1"},
      {"recv 10b from 2", "line 3: got rank 2, expected a rank from 0 to 1"},
      {"recv 10b from 1 tag x", "line 3: got \"x\", expected a number"},
      {"recv 10b from 1 gpu 1", "line 3: got \"gpu\", expected tag, cpu or nic"},
      {"calc 1 tag 1", "line 3: got \"tag\", expected tag, cpu or nic"},
      {"l1: calc 1\nl1: calc 2", "line 4: got the label l1 twice, expected each label only once in a rank"},
      {"l1: calc 1\nl1 requires l2", "line 4: got the label l2, expected the label of an operation of this rank"},
      {"l1: calc 1\nl1 requires", "line 4: got the end of the line, expected a label"},
      {"l1: calc 1\nl1 requires l1", "line 3: a circle: l1 (line 3) waits for l1 (line 3)"},
      {"l0: calc 1\nl0 requires l1\nl1: calc 1\nl2: calc 1\nl1 requires l2\nl2 irequires l1",
       "line 5: a circle: l1 (line 5) waits for l2 (line 6), which waits for l1 (line 5)"},
      {"}\nrank 0 {", "line 4: got the schedule of rank 0 twice, expected one schedule for each rank"},
      {"}\n}\nrank 1 {", "line 4: got a closing bracket, expected the schedule of a rank before it"},
  };
  for (const auto& [lines, message] : cases) {
    const auto text =
        fmt::format("num_ranks 2\nrank 0 {{\n{}\n}}\n{}", lines,
                    std::string_view(lines).find("rank 1") == std::string_view::npos ? "rank 1 {\n}\n" : "");
    const auto schedule = parse_goal(text, "x.goal", 2);
    ASSERT_FALSE(schedule) << lines;
    EXPECT_EQ(to_text(schedule.errors().front()), fmt::format("x.goal: {}", message)) << lines;
  }
}

TEST(Goal, ReadsPutsAndWhatCountersStart) {
  const auto schedule = parse_goal("num_ranks 2\n"
                                   "rank 0 {\n"
                                   "append 10b to priority_list allowed -1 ct 4 tag 53\n"
                                   "put 200b to 1 arg1 7 ct 0 tag 10\n"
                                   "put 1b to 0 ct 3 tag -1\n"
                                   "}\n"
                                   "rank 1 {\n"
                                   "append 200b to priority_list allowed 0 ct 9 use_once tag 10 cpu 1\n"
                                   "tput 10b to 0 when 9 reaches 1 ct 5 tag 53\n"
                                   "tappend 1b to priority_list allowed 0 when 9 reaches 2 use_once tag 7\n"
                                   "test 9 for 3\n"
                                   "}\n",
                                   "x.goal", 2);
  ASSERT_TRUE(schedule) << to_text(schedule.errors().front());
  const auto& first = schedule->ranks[0];
  EXPECT_EQ(first.operations[0].kind, Kind::append);
  EXPECT_EQ(first.operations[0].peer, std::nullopt);
  EXPECT_EQ(first.terms[0].counter, 4u);
  EXPECT_EQ(first.terms[0].messages, 1u); // the only put to rank 0 of that tag
  EXPECT_EQ(first.operations[1].kind, Kind::put);
  EXPECT_EQ(first.operations[1].peer, 1);
  EXPECT_EQ(first.operations[1].size, Bytes{200});
  EXPECT_EQ(first.operations[2].tag, std::nullopt);
  const auto& second = schedule->ranks[1];
  EXPECT_EQ(second.terms[0].messages, 1u);
  EXPECT_EQ(second.terms[1].trigger, 9u);
  EXPECT_EQ(second.terms[1].threshold, 1u);
  EXPECT_EQ(second.terms[1].counter, 5u);
  EXPECT_EQ(second.operations[2].kind, Kind::append);
  EXPECT_EQ(second.operations[3].kind, Kind::test);
  EXPECT_EQ(second.terms[3].threshold, 3u);
}

TEST(Goal, TellsWhatOfPutsIsNotModelled) {
  const std::pair<const char*, const char*> cases[] = {
      {"get 1b from 1 tag 1", "line 3: got a get, whose match at the other rank is not modelled; puts are"},
      {"calcgem5 1 2b", "line 3: got a program for gem5, which is not run here; calc states a time"},
      {"append 1b to overflow_list allowed 1 tag 1",
       "line 3: got an append for messages that come too early, which wait for their append here anyway"},
      {"append 1b to priority_list hh 20 allowed 1 tag 1",
       "line 3: got a handler (hh), a program of the adapter, which is not modelled"},
      {"append 1b to priority_list tag 1", "line 3: got the end of the line, expected allowed"},
      {"append 1b to priority_list allowed 1 tag -1", "line 3: got \"-1\", expected a number"},
      {"tput 1b to 1 tag 1", "line 3: got the end of the line, expected when"},
      {"tput 1b to 1 when 3 tag 1", "line 3: got \"tag\", expected reaches"},
      {"put 1b to 1 when 3 reaches 1", "line 3: got \"when\", expected ct, tag, cpu or nic"},
      {"test 3", "line 3: got the end of the line, expected for"},
      {"append 1b to priority_list allowed 1 tag 1\nappend 1b to priority_list allowed -1 use_once tag 1",
       "rank 0, line 3: an append without use_once for messages that another append of the rank takes, too; which of "
       "them takes which is not modelled"},
  };
  for (const auto& [lines, message] : cases) {
    const auto text = fmt::format("num_ranks 2\nrank 0 {{\n{}\n}}\nrank 1 {{\n}}\n", lines);
    const auto schedule = parse_goal(text, "x.goal", 2);
    ASSERT_FALSE(schedule) << lines;
    EXPECT_EQ(to_text(schedule.errors().front()), fmt::format("x.goal: {}", message)) << lines;
  }
}

TEST(Goal, TellsABeginOfALongCircle) {
  constexpr int operations = 200000; // too many to look through them for each
  std::string text = "num_ranks 1\nrank 0 {\n";
  for (int i = 0; i < operations; ++i)
    text += fmt::format("l{0}: calc 1\nl{1} requires l{0}\n", i, (i + 1) % operations);
  const auto schedule = parse_goal(text + "}\n", "x.goal", 1);
  ASSERT_FALSE(schedule);
  const auto message = to_text(schedule.errors().front());
  EXPECT_TRUE(
      message.starts_with("x.goal: line 3: a circle: l0 (line 3) waits for l199999 (line 400001), which waits "))
      << message;
  EXPECT_TRUE(message.ends_with("l199992 (line 399987), and so on for 199992 more")) << message;
}

TEST(Goal, NeedsAScheduleOfEachRank) {
  const auto fewer = parse_goal("num_ranks 1\nrank 0 {\n}\n", "x.goal", 2);
  ASSERT_FALSE(fewer);
  ASSERT_EQ(fewer.errors().size(), 2u);
  EXPECT_EQ(to_text(fewer.errors()[0]), "x.goal: line 1: got num_ranks 1, expected 2, as in the scenario");
  EXPECT_EQ(to_text(fewer.errors()[1]), "x.goal: there is no schedule of rank 1");
  const auto open = parse_goal("num_ranks 1\nrank 0 {\n", "x.goal", 1);
  ASSERT_FALSE(open);
  EXPECT_EQ(to_text(open.errors()[0]), "x.goal: line 2: the schedule of rank 0 has no closing bracket");
  const auto outside = parse_goal("num_ranks 1\ncalc 3\nrank 0 {\n}\n", "x.goal", 1);
  ASSERT_FALSE(outside);
  EXPECT_EQ(to_text(outside.errors()[0]), "x.goal: line 2: got \"calc\", expected num_ranks or rank");
}

} // namespace
} // namespace kakehashi
