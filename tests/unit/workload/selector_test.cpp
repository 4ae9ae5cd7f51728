#include "workload/collective/selector.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using enum Collective;

Group ranks_on_nodes(int ranks, int ranks_per_node) {
  std::vector<int> nodes;
  for (int i = 0; i < ranks; ++i)
    nodes.push_back(i / ranks_per_node);
  return make_world(nodes);
}

Blocks blocks_for(Collective collective, std::uint64_t bytes, int ranks) {
  switch (collective) {
  case gather:
  case scatter:
  case alltoall: return Blocks::equal({bytes}, ranks);
  case allgather:
  case allgatherv:
  case reduce_scatter: return Blocks::even({bytes}, ranks);
  default: return Blocks::whole({bytes});
  }
}

std::string chosen(Selector selector, Collective collective, std::uint64_t bytes, int ranks, int ranks_per_node = 1) {
  Library library;
  library.selector = selector;
  return to_text(
      choose(library, collective, ranks_on_nodes(ranks, ranks_per_node), blocks_for(collective, bytes, ranks)));
}

struct Row {
  Collective collective;
  std::uint64_t bytes;
  int ranks;
  std::string expected;
};

void expect(Selector selector, const std::vector<Row>& rows, int ranks_per_node = 1) {
  for (const auto& [collective, bytes, ranks, expected] : rows)
    EXPECT_EQ(chosen(selector, collective, bytes, ranks, ranks_per_node), expected)
        << collective_names[static_cast<std::size_t>(collective)] << " of " << bytes << " B on " << ranks << " ranks";
}

// 12 nodes in a box of 3 x 2 x 2.
std::string chosen_on_box(Selector selector, Collective collective, std::uint64_t bytes, int ranks_per_node) {
  Library library;
  library.selector = selector;
  std::vector<int> nodes;
  std::vector<NodePoint> points;
  for (int i = 0; i < 12 * ranks_per_node; ++i) {
    const int node = i / ranks_per_node;
    nodes.push_back(node);
    points.push_back({node % 3, node / 3 % 2, node / 6});
  }
  const auto world = make_world(nodes, points);
  return to_text(choose(library, collective, world, blocks_for(collective, bytes, world.size())));
}

TEST(Selector, FollowsFujitsuOnABox) {
  const auto chosen_new = [](Collective collective, std::uint64_t bytes, int ranks_per_node) {
    return chosen_on_box(Selector::fujitsu_new, collective, bytes, ranks_per_node);
  };
  for (const int ranks_per_node : {1, 4, 5, 16}) {
    EXPECT_EQ(chosen_new(bcast, 131072, ranks_per_node), "box-trees (32 KiB segments)");
    EXPECT_EQ(chosen_new(bcast, 131071, ranks_per_node),
              ranks_per_node == 1 ? "box-trees (32 KiB segments)" : "split-binary (1 KiB segments)");
    EXPECT_EQ(chosen_new(allreduce, 9999, ranks_per_node), "recursive-doubling");
    EXPECT_EQ(chosen_new(allreduce, 1 << 20, ranks_per_node), "reduce-bcast");
    EXPECT_EQ(chosen_new(alltoall, 199, ranks_per_node), ranks_per_node == 1 ? "pairwise" : "bruck");
    EXPECT_EQ(chosen_new(alltoall, 2999, ranks_per_node), "pairwise");
    const auto* spread = ranks_per_node < 5 ? "double-spread" : "simple-spread";
    EXPECT_EQ(chosen_new(alltoall, 3000, ranks_per_node), spread);
    EXPECT_EQ(chosen_new(alltoallv, 8, ranks_per_node), spread);
    const auto ranks = static_cast<std::uint64_t>(12 * ranks_per_node);
    EXPECT_EQ(chosen_new(allgather, 32767 * ranks, ranks_per_node), "gather-bcast");
    EXPECT_EQ(chosen_new(allgather, 32768 * ranks, ranks_per_node),
              chosen_on_box(Selector::fujitsu_old, allgather, 32768 * ranks, ranks_per_node));
    EXPECT_EQ(chosen_new(allgatherv, 32767 * ranks, ranks_per_node), "gather-bcast");
  }
  EXPECT_EQ(chosen_new(reduce, 1 << 20, 16), chosen_on_box(Selector::fujitsu_old, reduce, 1 << 20, 16));
  EXPECT_EQ(chosen_new(gather, 4096, 16), "two-level");
  EXPECT_EQ(chosen_on_box(Selector::fujitsu_old, bcast, 1 << 20, 1), "box-trees (32 KiB segments)");
}

// Without a box, and for what Fujitsu's tables leave open.
TEST(Selector, OfFujitsuElseFollowsOpenMpi) {
  for (const auto collective : {barrier, bcast, reduce, allgather, allgatherv, alltoall, alltoallv, scan}) {
    EXPECT_EQ(chosen(Selector::fujitsu_old, collective, 1 << 20, 96, 8),
              chosen(Selector::open_mpi, collective, 1 << 20, 96, 8));
    EXPECT_EQ(chosen_on_box(Selector::fujitsu_old, collective, 1 << 20, 16),
              chosen(Selector::open_mpi, collective, 1 << 20, 192, 16));
  }
  EXPECT_EQ(chosen(Selector::fujitsu_new, bcast, 1 << 20, 96, 8), chosen(Selector::open_mpi, bcast, 1 << 20, 96, 8));
}

TEST(Selector, FollowsOpenMpiAtItsThresholds) {
  expect(Selector::open_mpi, {{barrier, 0, 2, "recursive-doubling"},
                              {barrier, 0, 16, "recursive-doubling"},
                              {barrier, 0, 12, "dissemination"},
                              {bcast, 2047, 16, "binomial-nearest-first"},
                              {bcast, 2048, 16, "split-binary (1 KiB segments)"},
                              {bcast, 370727, 16, "split-binary (1 KiB segments)"},
                              {bcast, 370728, 2, "chain (128 KiB segments)"}, // 2 < 2.71
                              {bcast, 370728, 12, "split-binary (8 KiB segments)"},
                              {bcast, 370728, 16, "chain (8 KiB segments)"},    // 9.98 for 16 KiB
                              {bcast, 4 << 20, 8, "chain (128 KiB segments)"},  // 8.88
                              {bcast, 4 << 20, 16, "chain (16 KiB segments)"},  // 11.1 for 64 KiB, 22.3 for 16 KiB
                              {bcast, 16 << 20, 40, "chain (64 KiB segments)"}, // 29.2 and 40.9
                              {reduce, 511, 7, "linear"},
                              {reduce, 511, 8, "binomial"},
                              {reduce, 20479, 7, "binomial"},
                              {reduce, 20480, 7, "binary (32 KiB segments)"}, // 2.0 < 7 < 10.5 and 13.4
                              {reduce, 2047, 64, "binomial"},
                              {reduce, 2048, 64, "binomial (1 KiB segments)"}, // 2.6 < 64
                              {reduce, 65536, 30, "chain (1 KiB segments)"},   // 12.3 < 30 < 39.9
                              {reduce, 65536, 8, "binary (32 KiB segments)"},  // 3.9 < 8 < 12.3
                              {reduce, 1 << 20, 8, "chain (32 KiB segments)"}, // 5.1 < 8 < 44.4
                              {reduce, 4 << 20, 8, "chain (64 KiB segments)"}, // 8 < 15.2
                              {allreduce, 9999, 64, "recursive-doubling"},
                              {allreduce, 10000, 64, "ring"},
                              {allreduce, 64 << 20, 64, "ring"},
                              {allreduce, (64 << 20) + 1, 64, "segmented-ring (1 MiB segments)"},
                              {allreduce, 10000, 2500, "reduce-bcast"},
                              {allreduce, 10004, 2500, "ring"},
                              {gather, 6000, 60, "linear"},
                              {gather, 6000, 61, "binomial"},
                              {gather, 1023, 11, "binomial"},
                              {gather, 1024, 11, "linear"},
                              {gather, 6001, 61, "linear-synchronised (1 KiB segments)"},
                              {gather, 92161, 61, "linear-synchronised (32 KiB segments)"},
                              {scatter, 299, 11, "binomial"},
                              {scatter, 299, 10, "linear"},
                              {scatter, 300, 11, "linear"},
                              {allgather, 1 << 20, 2, "recursive-doubling"},
                              {allgather, 49999, 8, "recursive-doubling"},
                              {allgather, 49999, 9, "bruck"},
                              {allgather, 50000, 9, "ring"},
                              {allgather, 50000, 10, "neighbour-exchange"},
                              {allgatherv, 49999, 8, "bruck"},
                              {allgatherv, 50000, 8, "neighbour-exchange"},
                              {alltoall, 199, 13, "bruck"},
                              {alltoall, 199, 12, "linear"},
                              {alltoall, 200, 13, "linear"},
                              {alltoall, 3000, 13, "pairwise"},
                              {alltoallv, 1, 13, "pairwise"},
                              {reduce_scatter, 12288, 10, "recursive-halving"},
                              {reduce_scatter, 12289, 10, "ring"}, // 10 < 22.7
                              {reduce_scatter, 12289, 24, "recursive-halving"},
                              {reduce_scatter, 262144, 16, "recursive-halving"},
                              {reduce_scatter, 262145, 16, "ring"},
                              {scan, 1, 8, "linear"}});
}

TEST(Selector, FollowsMpichAtItsThresholds) {
  expect(Selector::mpich, {{barrier, 0, 16, "dissemination"},
                           {bcast, 12287, 16, "binomial"},
                           {bcast, 12288, 7, "binomial"},
                           {bcast, 12288, 16, "scatter-doubling-allgather"},
                           {bcast, 12288, 12, "scatter-ring-allgather"},
                           {bcast, 524287, 16, "scatter-doubling-allgather"},
                           {bcast, 524288, 16, "scatter-ring-allgather"},
                           {reduce, 2048, 16, "binomial"},
                           {reduce, 2049, 16, "rabenseifner"},
                           {allreduce, 2048, 16, "recursive-doubling"},
                           {allreduce, 2049, 16, "rabenseifner"},
                           {gather, 1 << 20, 16, "binomial"},
                           {scatter, 1 << 20, 16, "binomial"},
                           {allgather, 524287, 16, "recursive-doubling"},
                           {allgather, 524288, 16, "ring"},
                           {allgather, 81919, 12, "bruck"},
                           {allgather, 81920, 12, "ring"},
                           {alltoall, 256, 8, "bruck"},
                           {alltoall, 256, 7, "linear (32 at a time)"},
                           {alltoall, 257, 8, "linear (32 at a time)"},
                           {alltoall, 32768, 8, "linear (32 at a time)"},
                           {alltoall, 32769, 8, "pairwise-exclusive-or"},
                           {alltoall, 32769, 12, "pairwise"},
                           {alltoallv, 1, 12, "linear (32 at a time)"},
                           {reduce_scatter, 524287, 12, "recursive-halving"},
                           {reduce_scatter, 524288, 12, "pairwise"},
                           {scan, 1, 8, "recursive-doubling"}});
  constexpr int ranks_per_node = 4;
  expect(Selector::mpich,
         {{barrier, 0, 16, "two-level"},
          {bcast, 12287, 16, "two-level"},
          {bcast, 524287, 16, "two-level"},
          {bcast, 524288, 16, "scatter-ring-allgather"},
          {bcast, 12288, 12, "scatter-ring-allgather"},
          {bcast, 524288, 6, "two-level"},
          {reduce, 2049, 16, "two-level"},
          {allreduce, 1 << 20, 16, "two-level"},
          {allreduce, 1 << 20, 4, "rabenseifner"}, // all on one node
          {scan, 1, 16, "two-level"}},
         ranks_per_node);
}

TEST(Selector, TakesWhatIntelMpiIsAssumedToDo) {
  expect(Selector::intel_mpi, {{allreduce, 2048, 16, "recursive-doubling"},
                               {allreduce, 524287, 16, "rabenseifner"},
                               {allreduce, 524288, 16, "ring"},
                               {alltoall, 32769, 8, "pairwise"}});
  expect(Selector::intel_mpi, {{bcast, 4 << 20, 16, "two-level"}, {allreduce, 4 << 20, 16, "two-level"}}, 4);
}

TEST(Selector, TakesOneAlgorithmIfItIsFixed) {
  for (const std::uint64_t bytes : {1, 1 << 20})
    expect(Selector::fixed, {{bcast, bytes, 16, "binomial"}, {alltoall, bytes, 13, "pairwise"}}, 4);
}

TEST(Selector, HasTwoLevelsOfAScanOnlyNodeByNode) {
  Library library;
  library.selector = Selector::mpich;
  const auto chosen_on = [&](const std::vector<int>& nodes) {
    const auto choice = choose(library, scan, make_world(nodes), Blocks::whole({8}));
    return algorithm_names[choice.algorithm].name;
  };
  EXPECT_EQ(chosen_on({0, 0, 1, 1}), "two-level");
  EXPECT_EQ(chosen_on({1, 1, 1, 0}), "two-level");
  EXPECT_EQ(chosen_on({0, 1, 0, 1}), "recursive-doubling");
}

TEST(Selector, HasARowForEveryCall) {
  for (const auto selector : {Selector::open_mpi, Selector::mpich, Selector::intel_mpi, Selector::fixed})
    for (std::size_t i = 0; i < collective_count; ++i)
      for (const int ranks : {1, 2, 3, 16, 6144})
        for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40})
          EXPECT_NE(chosen(selector, static_cast<Collective>(i), bytes, ranks, 16), "");
}

// A row that names no algorithm of its collective would end the program when it is chosen.
TEST(Selector, NamesOnlyAlgorithmsThatThereAre) {
  for (const auto selector : {Selector::open_mpi, Selector::mpich, Selector::intel_mpi, Selector::fixed})
    for (const auto& row : decisions_of(selector)) {
      const auto index = find_algorithm(row.collective, row.algorithm);
      ASSERT_TRUE(index) << row.algorithm;
      EXPECT_TRUE(row.segment.count == 0 || takes_segment(algorithm_names[*index])) << row.algorithm;
      EXPECT_TRUE(row.width == 0 || takes_width(algorithm_names[*index])) << row.algorithm;
    }
}

TEST(Selector, PrefersTheAlgorithmThatIsNamed) {
  Library library;
  const auto index = [](Collective collective) { return static_cast<std::size_t>(collective); };
  library.algorithms[index(bcast)] = AlgorithmChoice{*find_algorithm(bcast, "chain"), Bytes{512}, 3};
  library.algorithms[index(barrier)] = AlgorithmChoice{*find_algorithm(barrier, "two-level"), {}, 0};
  const auto flat = ranks_on_nodes(8, 1);
  const auto nodes = ranks_on_nodes(8, 4);
  const auto named = choose(library, bcast, flat, Blocks::whole({8}));
  EXPECT_EQ(to_text(named), "chain (512 B segments; 3 chains)");
  EXPECT_EQ(algorithm_names[choose(library, barrier, nodes, Blocks::whole({})).algorithm].name, "two-level");
  // Inside a level there are no levels; the table decides.
  EXPECT_EQ(algorithm_names[choose(library, barrier, flat, Blocks::whole({})).algorithm].name, "recursive-doubling");
}

TEST(Group, KnowsWhoSharesANode) {
  const std::vector<int> node_of_rank{7, 7, 3, 7, 3};
  const auto world = make_world(node_of_rank);
  ASSERT_TRUE(world.has_nodes());
  EXPECT_EQ(world.leaders->members, (std::vector{0, 2}));
  EXPECT_EQ(world.nodes[0].members, (std::vector{0, 1, 3}));
  EXPECT_EQ(world.nodes[1].members, (std::vector{2, 4}));
  EXPECT_EQ(world.place_in_node, (std::vector{0, 1, 0, 2, 1}));
  const auto part = make_group({4, 1, 2}, node_of_rank);
  EXPECT_EQ(part.leaders->members, (std::vector{4, 1}));
  EXPECT_EQ(part.nodes[0].members, (std::vector{4, 2}));
  EXPECT_FALSE(make_group({0, 1, 3}, node_of_rank).has_nodes());
  EXPECT_FALSE(make_group({0, 2}, node_of_rank).has_nodes());
}

} // namespace
} // namespace kakehashi
