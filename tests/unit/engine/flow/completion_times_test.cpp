#include "engine/flow/completion_times.hpp"

#include <gtest/gtest.h>
#include <random>

namespace kakehashi {
namespace {

struct Times {
  double earliest;
  double latest;
};

// Against a plain list, in which the last one takes the place of one that is removed, too.
TEST(CompletionTimes, FindsWhatMayCompleteAndWhatMust) {
  std::mt19937 random(5);
  const auto below = [&](std::size_t end) { return random() % end; };
  const auto times_after = [&](double now) {
    const double earliest = now + 1 + static_cast<double>(below(100));
    return Times{earliest, earliest + static_cast<double>(below(20))};
  };
  CompletionTimes completions;
  std::vector<Times> list;
  const auto set = [&](std::size_t place, Times times) {
    list[place] = times;
    completions.set(place, times.earliest, times.latest);
  };
  double now = 0;
  for (int step = 0; step < 20000; ++step) {
    if (list.empty() || below(4) > 0) {
      completions.add();
      list.emplace_back();
      set(list.size() - 1, times_after(now));
    } else if (below(10) == 0) {
      for (std::size_t place = 0; place < list.size(); ++place)
        set(place, times_after(now));
    }
    double next = CompletionTimes::never;
    for (const auto& each : list)
      next = std::min(next, each.latest);
    ASSERT_EQ(completions.next(), next);
    if (below(4) > 0)
      continue;
    now = next;
    std::size_t due = 0;
    for (const auto& each : list)
      due += each.earliest <= now;
    std::size_t taken = 0;
    completions.take(now, [&](std::size_t place) {
      ASSERT_LE(list[place].earliest, now);
      ++taken;
      if (below(3) == 0)
        return set(place, times_after(now));
      completions.remove(place);
      list[place] = list.back();
      list.pop_back();
    });
    EXPECT_EQ(taken, due);
    ASSERT_EQ(completions.size(), list.size());
  }
}

} // namespace
} // namespace kakehashi
