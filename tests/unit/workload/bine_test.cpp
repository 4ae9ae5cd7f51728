// Who meets whom in bine trees and butterflies, in Open MPI's butterfly, and over circulant graphs.
#include "workload/collective/algorithms.hpp"
#include "workload/collective/bine.hpp"
#include "workload/interpreter.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// All numbers that a number reaches by those steps, itself included.
std::set<int> reached(const Bine& bine, int number, int first, int end) {
  std::set<int> numbers{number};
  for (int step = first; step < end; ++step)
    for (const int each : std::vector<int>(numbers.begin(), numbers.end()))
      numbers.insert(bine.partner(each, step));
  return numbers;
}

TEST(Bine, MeetsAlternatelyToBothSides) {
  const Bine bine(16);
  std::vector<int> of_zero;
  std::vector<int> of_one;
  for (int step = 0; step < bine.steps(); ++step) {
    of_zero.push_back(bine.partner(0, step));
    of_one.push_back(bine.partner(1, step));
  }
  EXPECT_EQ(of_zero, (std::vector{1, 15, 3, 11})); // 1, -1, 3, -5
  EXPECT_EQ(of_one, (std::vector{0, 2, 14, 6}));
}

TEST(Bine, LabelsNumbersByWhatTheyReach) {
  for (const int size : {1, 2, 4, 8, 64, 512}) {
    const Bine bine(size);
    for (int number = 0; number < size; ++number) {
      EXPECT_EQ(bine.number_of(bine.label(number)), number);
      for (int step = 0; step < bine.steps(); ++step) {
        EXPECT_EQ(bine.partner(bine.partner(number, step), step), number);
        std::set<int> expected;
        const auto labels = bine.reach(number, step);
        for (int i = 0; i < labels.count; ++i)
          expected.insert(bine.number_of(labels.first + i));
        EXPECT_EQ(reached(bine, number, step + 1, bine.steps()), expected) << size << ": " << number << ", " << step;
        const auto before = bine.reached_before(number, step);
        EXPECT_EQ(std::set<int>(before.begin(), before.end()).size(), std::size_t{1} << step);
      }
    }
  }
}

// Those of the paper's figures of eight ranks.
TEST(Bine, GrowsTreesOfEightRanks) {
  const std::vector<std::vector<int>> from_far{{3, 7, 1}, {}, {}, {4, 2}, {5}, {}, {}, {6}};
  const std::vector<std::vector<int>> from_near{{1, 7, 3}, {2, 6}, {5}, {}, {}, {}, {}, {4}};
  for (int rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(bine_tree(rank, 8).children, from_far[static_cast<std::size_t>(rank)]) << rank;
    EXPECT_EQ(bine_tree_nearest_first(rank, 8).children, from_near[static_cast<std::size_t>(rank)]) << rank;
    for (const int child : bine_tree(rank, 8).children)
      EXPECT_EQ(bine_tree(child, 8).parent, rank);
  }
}

// Ten ranks: 1 and 3 idle beside 0 and 2, which are the numbers 0 and 1.
TEST(Bine, ServesIdleRanksLast) {
  EXPECT_EQ(bine_tree(0, 10).children, (std::vector{5, 9, 2, 1}));
  EXPECT_EQ(bine_tree(2, 10).children, (std::vector{3}));
  EXPECT_EQ(bine_tree(3, 10).parent, 2);
}

// What a tree is for: where ranks are a ring, messages go about two thirds as far as in a binomial tree. Step i has
// 2^(9 - i) messages, over 2^i ranks there and (2^(i + 1) + (-1)^i) / 3 here.
TEST(Bine, GoesTwoThirdsAsFar) {
  const int size = 1024;
  const auto way_of = [&](auto tree) {
    int way = 0;
    for (int rank = 0; rank < size; ++rank)
      for (const int child : tree(rank, size).children)
        way += std::min(std::abs(child - rank), size - std::abs(child - rank));
    return way;
  };
  EXPECT_EQ(way_of(binomial_tree), 10 * 512);
  EXPECT_EQ(way_of(bine_tree), (10 * 1024 + 341) / 3);
}

struct Counted {
  std::size_t messages;
  std::uint64_t bytes;
};
Counted count(Algorithm algorithm, int ranks, const Blocks& blocks, bool all = false) {
  std::vector<int> nodes(static_cast<std::size_t>(ranks));
  std::iota(nodes.begin(), nodes.end(), 0);
  Interpreter interpreter(nodes, {});
  for (int rank = 0; rank < ranks; ++rank) {
    const auto own = all ? blocks.all() : blocks.block(rank);
    for (std::uint64_t i = 0; i < own.size.count; ++i)
      interpreter.memory(rank)[own.from + i] = {rank};
    interpreter.start(rank, algorithm(interpreter.communicator(rank), {blocks}));
  }
  EXPECT_EQ(interpreter.run(), "");
  return {interpreter.messages(), interpreter.bytes()};
}

// The example in Open MPI's source: six ranks, of which two idle; the numbers 1 and 2 have each other's block.
TEST(Butterfly, ExchangesWhatItsMirrorNeeds) {
  const auto counted = count(reduce_scatter_butterfly, 6, Blocks::equal(Bytes{4}, 6), true);
  EXPECT_EQ(counted.messages, 2U + 4 * 2 + 2 + 2);
  // Whole vectors; halves, of 4 blocks and 2, and quarters, of 2 and 1, each sent by two numbers; a block each.
  EXPECT_EQ(counted.bytes, 4U * (2 * 6 + 2 * (4 + 2) + 2 + 2 + 1 + 1 + 2 + 2));
}

std::size_t rounds_of(int ranks) {
  return static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

TEST(Circulant, TakesTheFewestRoundsAndBytes) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const auto least = static_cast<std::size_t>(ranks) * rounds_of(ranks);
    const auto bytes = static_cast<std::uint64_t>(ranks * (ranks - 1) * 4);
    const auto gathered = count(allgather_circulant, ranks, Blocks::equal(Bytes{4}, ranks));
    EXPECT_EQ(gathered.messages, least) << ranks;
    EXPECT_EQ(gathered.bytes, bytes) << ranks;
    const auto scattered = count(reduce_scatter_circulant, ranks, Blocks::equal(Bytes{4}, ranks), true);
    EXPECT_EQ(scattered.messages, least) << ranks;
    EXPECT_EQ(scattered.bytes, bytes) << ranks;
    const auto vector = Blocks::whole(Blocks::equal(Bytes{4}, ranks).total());
    const auto both = count(allreduce_circulant, ranks, vector, true);
    EXPECT_EQ(both.messages, 2 * least) << ranks;
    EXPECT_EQ(both.bytes, 2 * bytes) << ranks;
  }
}

TEST(Bine, SendsEachBlockOnceAndRolesBesides) {
  const int ranks = 16;
  const Bine bine(ranks);
  std::size_t moved = 0;
  for (int number = 0; number < ranks; ++number)
    moved += bine.label(number) != number ? 1 : 0;
  const auto blocks = Blocks::equal(Bytes{4}, ranks);
  const std::uint64_t bytes = ranks * (ranks - 1) * 4;
  for (const auto algorithm : {allgather_bine_permute, allgather_bine_two_blocks}) {
    EXPECT_EQ(count(algorithm, ranks, blocks).messages, 16U * 4);
    EXPECT_EQ(count(algorithm, ranks, blocks).bytes, bytes);
  }
  EXPECT_EQ(count(allgather_bine_send, ranks, blocks).messages, 16U * 4 + moved);
  EXPECT_EQ(count(allgather_bine_send, ranks, blocks).bytes, bytes + 4 * moved);
  EXPECT_EQ(count(allgather_bine_blocks, ranks, blocks).messages, 16U * 15);
  EXPECT_EQ(count(reduce_scatter_bine_permute, ranks, blocks, true).bytes, bytes);
  EXPECT_EQ(count(reduce_scatter_bine_send, ranks, blocks, true).bytes, bytes + 4 * moved);
  // Nobody gets again what it passed on in the scatter.
  EXPECT_EQ(count(bcast_bine_scatter, ranks, Blocks::whole(Bytes{64}), true).bytes, 64U * (ranks - 1));
}

} // namespace
} // namespace kakehashi
