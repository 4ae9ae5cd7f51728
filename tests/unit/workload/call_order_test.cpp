#include "workload/call_order.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

CollectiveEvent call(Collective collective, std::uint64_t bytes = 0, int root = 0) {
  return {collective, root, {bytes}, {}, {}, 0};
}

TEST(CallOrder, LetsRanksRunAhead) {
  CallOrder order(2);
  for (std::uint64_t line = 1; line < 5; ++line)
    EXPECT_FALSE(order.make(0, 0, call(Collective::bcast, line), "a", std::to_string(line)));
  for (std::uint64_t line = 1; line < 5; ++line)
    EXPECT_FALSE(order.make(1, 1, call(Collective::bcast, line), "b", std::to_string(line)));
}

TEST(CallOrder, NamesBothRanksTheirCallsAndLines) {
  CallOrder order(3);
  EXPECT_FALSE(order.make(0, 0, call(Collective::barrier), "a", "line 2"));
  EXPECT_FALSE(order.make(1, 1, call(Collective::barrier), "b", "line 3"));
  EXPECT_FALSE(order.make(1, 1, call(Collective::reduce, 8, 1), "b", "line 4"));
  const auto other = order.make(0, 0, call(Collective::allreduce, 8), "a", "line 5");
  ASSERT_TRUE(other);
  EXPECT_EQ(to_text(*other),
            "a: line 5: rank 0 calls allreduce of 8 B, but rank 1 calls reduce of 8 B with root 1 (b: line 4) "
            "as its collective call number 2 too");
  EXPECT_TRUE(order.make(2, 2, call(Collective::bcast), "c", "line 1")); // in the place of the barrier
}

TEST(CallOrder, NamesTheCommunicatorAndTheRankThatLacksACall) {
  CallOrder order(2, "row 1");
  EXPECT_FALSE(order.make(0, 2, call(Collective::barrier), "a", "line 2"));
  EXPECT_FALSE(order.make(0, 2, call(Collective::bcast, 8, 1), "a", "line 3"));
  EXPECT_FALSE(order.make(1, 3, call(Collective::barrier), "b", "line 2"));
  const auto lack = order.unfinished({2, 3});
  ASSERT_TRUE(lack);
  EXPECT_EQ(to_text(*lack),
            "a: line 3: rank 2 calls bcast of 8 B with root 1 as its collective call number 2 in row 1, "
            "but rank 3 makes only 1");
  EXPECT_FALSE(order.make(1, 3, call(Collective::bcast, 8, 1), "b", "line 3"));
  EXPECT_FALSE(order.unfinished({2, 3}));
  EXPECT_FALSE(order.make(0, 2, call(Collective::barrier), "a", "line 4"));
  EXPECT_EQ(to_text(*order.make(1, 3, call(Collective::allreduce, 8), "b", "line 4")),
            "b: line 4: rank 3 calls allreduce of 8 B, but rank 2 calls barrier (a: line 4) as its collective call "
            "number 3 in row 1 too");
}

TEST(CallOrder, RefusesOtherRootsAndSizes) {
  for (const auto& wrong : {call(Collective::bcast, 8, 1), call(Collective::bcast, 9, 0)}) {
    CallOrder order(2);
    EXPECT_FALSE(order.make(0, 0, call(Collective::bcast, 8, 0), "a", "line 1"));
    EXPECT_TRUE(order.make(1, 1, wrong, "b", "line 1"));
  }
}

TEST(CallOrder, LetsSizesDifferWhereRanksSendTheirOwn) {
  CallOrder order(2);
  EXPECT_FALSE(order.make(0, 0, call(Collective::gatherv, 8), "a", "line 1"));
  EXPECT_FALSE(order.make(1, 1, call(Collective::gatherv, 9), "b", "line 1"));
}

} // namespace
} // namespace kakehashi
