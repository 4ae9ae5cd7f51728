#include "input/growth/call_loops.hpp"

#include "input/growth/growth_parts.hpp"
#include "input/growth/listed_ranks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::vector<WorldCall> calls_of(std::string_view letters) {
  std::vector<WorldCall> calls;
  for (const char letter : letters)
    calls.push_back({static_cast<std::uint64_t>(letter), static_cast<std::uint64_t>(letter), 0});
  return calls;
}

std::string text_of(const CallLoops& loops) {
  std::string text;
  for (const auto& loop : loops)
    text += loop.is_loop() ? fmt::format("({}){}", text_of(loop.body), loop.count)
                           : std::string(1, static_cast<char>(loop.all));
  return text;
}

// The letters that are left when loops have as many repetitions as in another sequence.
std::string with_counts_of(std::string_view one, std::string_view other) {
  std::map<LoopPlace, std::size_t> counts;
  for (const auto& pair : match_of(loops_of(calls_of(one)), loops_of(calls_of(other))).pairs)
    counts[pair.place] = pair.other_count;
  std::string text;
  for (const auto& range : with_counts(loops_of(calls_of(one)), counts))
    text += one.substr(range.begin, range.end - range.begin);
  return text;
}

TEST(CallLoops, AreWhatIsRepeatedAtOnce) {
  EXPECT_EQ(text_of(loops_of(calls_of("xabababy"))), "x(ab)3y");
  EXPECT_EQ(text_of(loops_of(calls_of("aabaabaab"))), "((a)2b)3");
  EXPECT_EQ(text_of(loops_of(calls_of("abc"))), "abc");
  EXPECT_EQ(text_of(loops_of(calls_of("xaayaaazaa"))), "x(a)2y(a)3z(a)2");
}

TEST(CallLoops, MatchWhereOnlyRepetitionsDiffer) {
  EXPECT_TRUE(match_of(loops_of(calls_of("xabababy")), loops_of(calls_of("xababababy"))).is_whole);
  EXPECT_TRUE(match_of(loops_of(calls_of("xaayaaaz")), loops_of(calls_of("xaaaayaaz"))).is_whole);
  // Two steps that are alike by chance in one of them.
  EXPECT_TRUE(match_of(loops_of(calls_of("xaaaxaaxaa")), loops_of(calls_of("xaaxaaaxaaaa"))).is_whole);
  const auto match = match_of(loops_of(calls_of("xaaay")), loops_of(calls_of("xaaz")));
  EXPECT_FALSE(match.is_whole);
  EXPECT_EQ(match.end, 4u);
  EXPECT_EQ(match.other_end, 3u);
}

TEST(CallLoops, AreDoneAsOftenAsCountsState) {
  EXPECT_EQ(with_counts_of("xabababy", "xababababababy"), "xababababababy");
  EXPECT_EQ(with_counts_of("xababababy", "xababy"), "xababy");
  EXPECT_EQ(with_counts_of("aabaabaab", "aaaabaaaab"), "aaaabaaaab");
  EXPECT_EQ(with_counts_of("xaaaxaaxaa", "xaaxaaaxaaaa"), "xaaxaaaxaaaa");
}

// The first repetition may differ in what no hash has, so further ones are those from the second on.
TEST(CallLoops, AreDoneAgainFromTheSecondOn) {
  const auto loops = loops_of(calls_of("xaaay"));
  EXPECT_EQ(with_counts(loops, {{{1, 1}, 6}}), (std::vector<CallRange>{{0, 4}, {2, 4}, {2, 3}, {4, 5}}));
}

// Each repetition begins two requests, ends the second one, and the first of the repetition before.
Events requests() {
  Events events;
  for (std::uint64_t turn = 0; turn < 4; ++turn) {
    for (const auto request : {7 + 2 * turn, 8 + 2 * turn}) {
      SendEvent send;
      send.to = 0;
      send.request = request;
      events.push_back({turn, {}, {}, {}, send});
    }
    events.push_back({turn, {}, {}, {}, CompleteEvent{{8 + 2 * turn, 5 + 2 * turn}}});
    events.push_back({turn, {}, {}, {}, CollectiveEvent{}});
  }
  return events;
}

std::string requests_of(std::vector<CallRange> ranges) {
  SurveyedSize size;
  size.recording = {"one", std::make_shared<Listed>([](int) { return requests(); }), 1};
  const auto stream = looped_source(size, 4, std::move(ranges))->open(0);
  std::string text;
  while (const auto* event = stream->next()) {
    if (const auto* send = std::get_if<SendEvent>(&event->what))
      text += fmt::format(" +{}", send->request);
    if (const auto* complete = std::get_if<CompleteEvent>(&event->what))
      for (const auto request : complete->requests)
        text += fmt::format(" -{}", request);
  }
  return text;
}

TEST(LoopedSource, EndsRequestsOfTheRepetitionBefore) {
  EXPECT_EQ(requests_of({{0, 4}}), " +1 +2 -2 +3 +4 -4 -1 +5 +6 -6 -3 +7 +8 -8 -5");
  EXPECT_EQ(requests_of({{0, 3}, {1, 3}, {3, 4}}),
            " +1 +2 -2 +3 +4 -4 -1 +5 +6 -6 -3 +7 +8 -8 -5 +9 +10 -10 -7 +11 +12 -12 -9");
  EXPECT_EQ(requests_of({{0, 2}, {3, 4}}), " +1 +2 -2 +3 +4 -4 -1 +5 +6 -6 -3");
}

// Each repetition begins work of a device, and waits for that of the repetition before.
std::string works_of(std::vector<CallRange> ranges) {
  Events events;
  for (std::uint64_t turn = 1; turn <= 4; ++turn) {
    events.push_back({turn, {}, {}, {}, DeviceWorkEvent{turn, {turn - 1}, {}, Seconds{1}}});
    events.push_back({turn, {}, {}, {}, DeviceWaitEvent{{turn - 1}}});
    events.push_back({turn, {}, {}, {}, CollectiveEvent{}});
  }
  SurveyedSize size;
  size.recording = {"one", std::make_shared<Listed>([=](int) { return events; }), 1};
  const auto stream = looped_source(size, 4, std::move(ranges))->open(0);
  std::string text;
  while (const auto* event = stream->next()) {
    if (const auto* work = std::get_if<DeviceWorkEvent>(&event->what))
      text += fmt::format(" {}>{}", work->after.front(), work->number);
    if (const auto* wait = std::get_if<DeviceWaitEvent>(&event->what))
      text += fmt::format(" -{}", wait->works.front());
  }
  return text;
}

TEST(LoopedSource, WaitsForWorksOfTheRepetitionBefore) {
  EXPECT_EQ(works_of({{0, 4}}), " 0>1 -0 1>2 -1 2>3 -2 3>4 -3");
  EXPECT_EQ(works_of({{0, 3}, {1, 3}, {3, 4}}), " 0>1 -0 1>2 -1 2>3 -2 3>4 -3 4>5 -4 5>6 -5");
  EXPECT_EQ(works_of({{0, 2}, {3, 4}}), " 0>1 -0 1>2 -1 2>3 -2");
}

TEST(PowerThrough, IsTheSlopeOfTheBestLine) {
  EXPECT_DOUBLE_EQ(power_through({{8, 10}, {27, 15}, {64, 20}}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(power_through({{8, 10}, {27, 0}}), 0);
}

} // namespace
} // namespace kakehashi
