#include "result/summary.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

PathShare share(std::string what, Phase phase, int from, int to, double time, std::uint64_t steps) {
  return {std::move(what), phase, 0, from, to, Seconds{time}, {}, steps};
}

TEST(Summary, PutsSharesOfAKindTogether) {
  const auto kinds = kinds_of({share("flow at 1 MB/s, limited by a", Phase::flow, 0, 1, 5, 2),
                               share("core: overheads and copies", Phase::sender_core, 0, 0, 4, 8),
                               share("flow at 2 MB/s, limited by b", Phase::flow, 1, 2, 3, 1),
                               share("core: overheads and copies", Phase::sender_core, 1, 1, 7, 1)});
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].what, "core: overheads and copies");
  EXPECT_EQ(kinds[0].time.value, 11);
  EXPECT_EQ(kinds[0].steps, 9U);
  EXPECT_EQ(kinds[0].places, 2U);
  EXPECT_EQ(kinds[0].largest.from, 1);
  EXPECT_EQ(kinds[1].what, "flow");
  EXPECT_EQ(kinds[1].time.value, 8);
  EXPECT_EQ(kinds[1].largest.what, "flow at 1 MB/s, limited by a");
}

} // namespace
} // namespace kakehashi
