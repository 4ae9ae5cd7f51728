#include "workload/collective/libraries.hpp"
#include "workload/collective/selector.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

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

// 12 nodes.
std::string chosen_on_box(Selector selector, Collective collective, std::uint64_t bytes, int ranks_per_node,
                          NodePoint box = {3, 2, 2}) {
  Library library;
  library.selector = selector;
  std::vector<int> nodes;
  std::vector<NodePoint> points;
  for (int i = 0; i < 12 * ranks_per_node; ++i) {
    const int node = i / ranks_per_node;
    nodes.push_back(node);
    points.push_back({node % box[0], node / box[0] % box[1], node / (box[0] * box[1])});
  }
  const auto world = make_world(nodes, points);
  return to_text(choose(library, collective, world, blocks_for(collective, bytes, world.size())));
}

using enum Selector;

constexpr const char* trees = "box-trees (32 KiB segments)";
constexpr const char* shared_trees = "box-trees-shared (32 KiB segments)";
constexpr const char* trees_by_node = "box-trees-by-node (32 KiB segments)";

std::string spread_for(int ranks_per_node) {
  return ranks_per_node < 5 ? "double-spread" : "simple-spread";
}

// Of an allgather or allgatherv whose blocks have that size.
std::string chosen_for_block(Selector selector, Collective collective, std::uint64_t bytes, int ranks_per_node) {
  return chosen_on_box(selector, collective, bytes * static_cast<std::uint64_t>(12 * ranks_per_node), ranks_per_node);
}

TEST(Selector, FollowsFujitsuFromVersionToVersion) {
  for (const auto selector : {fujitsu_old, fujitsu_04, fujitsu_07, fujitsu_08, fujitsu_new}) {
    const bool has_04 = selector != fujitsu_old;
    const bool has_07 = has_04 && selector != fujitsu_04;
    const bool has_08 = has_07 && selector != fujitsu_07;
    EXPECT_EQ(chosen_on_box(selector, bcast, 1 << 20, 16), has_04 ? shared_trees : trees_by_node);
    EXPECT_EQ(chosen_on_box(selector, allreduce, 1 << 20, 16), "reduce-bcast");
    EXPECT_EQ(chosen_on_box(selector, allreduce, 1 << 18, 16), has_04 ? "reduce-bcast-by-node" : "reduce-bcast");
    EXPECT_EQ(chosen_on_box(selector, alltoall, 4096, 16), has_07 ? "simple-spread" : "pairwise");
    EXPECT_EQ(chosen_for_block(selector, allgather, 4096, 16), has_07 ? "rdma-gather-bcast" : "neighbour-exchange");
    EXPECT_EQ(chosen_on_box(selector, alltoallv, 4096, 16), has_08 ? "simple-spread" : "pairwise");
    EXPECT_EQ(chosen_for_block(selector, allgatherv, 4096, 16), has_08 ? "rdma-gather-bcast" : "neighbour-exchange");
    for (const auto collective : {reduce, gather}) // of which the text says nothing
      EXPECT_EQ(chosen_on_box(selector, collective, 1 << 20, 16), chosen(open_mpi, collective, 1 << 20, 192, 16));
  }
}

TEST(Selector, FollowsFujitsuAtItsThresholds) {
  for (const int ranks_per_node : {2, 4, 5, 16}) {
    const auto spread = spread_for(ranks_per_node);
    for (const auto collective : {alltoall, alltoallv}) {
      EXPECT_EQ(chosen_on_box(fujitsu_new, collective, 2999, ranks_per_node), "pairwise");
      EXPECT_EQ(chosen_on_box(fujitsu_new, collective, 3000, ranks_per_node), spread);
    }
    EXPECT_EQ(chosen_on_box(fujitsu_new, bcast, 131072, ranks_per_node), shared_trees);
    for (const std::uint64_t block : {std::max(1024, 131072 / 12 / ranks_per_node + 1), 32767})
      EXPECT_EQ(chosen_for_block(fujitsu_new, allgather, block, ranks_per_node) == "rdma-gather-bcast",
                ranks_per_node >= 4)
          << block;
    EXPECT_EQ(chosen_for_block(fujitsu_new, allgatherv, 1 << 20, ranks_per_node) == "rdma-gather-bcast",
              ranks_per_node >= 4);
  }
}

// The text's condition is a box of three dimensions.
TEST(Selector, KeepsFujitsusOldAlgorithmsOnLinesAndPlanes) {
  for (const NodePoint box : {NodePoint{12, 1, 1}, {1, 12, 1}, {4, 3, 1}, {3, 1, 4}})
    for (const auto collective : {bcast, allreduce, allgather, allgatherv})
      for (const std::uint64_t bytes : {1024, 262144, 1 << 20})
        EXPECT_EQ(chosen_on_box(fujitsu_new, collective, bytes, 16, box),
                  chosen(fujitsu_old, collective, bytes, 192, 16))
            << collective_names[static_cast<std::size_t>(collective)] << " of " << bytes << " B";
}

// Where the text tells of no gain, or of one for several processes a node only.
TEST(Selector, KeepsFujitsusOldAlgorithms) {
  const auto expect_same = [](Collective collective, std::uint64_t bytes, int ranks_per_node) {
    EXPECT_EQ(chosen_on_box(fujitsu_new, collective, bytes, ranks_per_node),
              chosen_on_box(fujitsu_old, collective, bytes, ranks_per_node))
        << collective_names[static_cast<std::size_t>(collective)] << " of " << bytes << " B";
  };
  for (const int ranks_per_node : {1, 4, 16}) {
    const auto ranks = static_cast<std::uint64_t>(12 * ranks_per_node);
    for (const std::uint64_t block : {16, 1023, 32768, 1 << 20})
      expect_same(allgather, block * ranks, ranks_per_node);
    for (const std::uint64_t bytes : {16, 256, 2999}) {
      expect_same(alltoall, bytes, ranks_per_node);
      expect_same(alltoallv, bytes, ranks_per_node);
    }
    expect_same(bcast, 131071, ranks_per_node);
    expect_same(allreduce, 9999, ranks_per_node);
    expect_same(allgatherv, 131071 / ranks * ranks, ranks_per_node);
  }
  for (const std::uint64_t bytes : {16, 4096, 16384, 65536, 1 << 20})
    for (const auto collective : {bcast, allreduce, allgather, allgatherv, alltoall})
      expect_same(collective, bytes, 1);
  EXPECT_EQ(chosen_on_box(fujitsu_old, bcast, 1 << 20, 1), trees);
  EXPECT_EQ(chosen_on_box(fujitsu_old, bcast, 131072, 1), trees);
  EXPECT_NE(chosen_on_box(fujitsu_old, bcast, 131071, 1), trees); // each tree would have less than a segment
  EXPECT_EQ(chosen_on_box(fujitsu_old, alltoall, 4096, 1), "double-spread");
}

TEST(Selector, TakesSixTreesOnTofuD) {
  EXPECT_EQ(chosen_on_box(fujitsu_4, bcast, 131072, 1), "box-six-trees (4 KiB segments)");
  EXPECT_EQ(chosen_on_box(fujitsu_4, reduce, 393217, 1), "box-six-trees (16 KiB segments)");
  EXPECT_EQ(chosen_on_box(fujitsu_4, allreduce, 6291457, 1), "box-six-trees (64 KiB segments)");
  for (const auto collective : {bcast, allreduce, allgather, alltoall})
    EXPECT_EQ(chosen_on_box(fujitsu_4, collective, 1 << 20, 4), chosen_on_box(fujitsu_new, collective, 1 << 20, 4));
}

// Each rank sees its own list only; they would not agree if it decided.
TEST(Selector, DoesNotGoByTheListsOfAnAlltoallv) {
  Library library;
  library.selector = fujitsu_new;
  const std::uint64_t small[] = {0, 1, 2, 3, 4};
  const std::uint64_t large[] = {0, 1 << 20, 2 << 20, 3 << 20, 4 << 20};
  const auto world = ranks_on_nodes(4, 2);
  EXPECT_EQ(to_text(choose(library, alltoallv, world, Blocks::listed(small))), "double-spread");
  EXPECT_EQ(to_text(choose(library, alltoallv, world, Blocks::listed(large))), "double-spread");
}

// Without a box, and for what Fujitsu's tables leave open.
TEST(Selector, OfFujitsuElseFollowsOpenMpi) {
  for (const auto collective : {barrier, bcast, reduce, allgather, allgatherv, alltoall, alltoallv, scan})
    EXPECT_EQ(chosen(fujitsu_old, collective, 1 << 20, 96, 8), chosen(open_mpi, collective, 1 << 20, 96, 8));
  for (const auto collective : {barrier, bcast, reduce, allgather, allgatherv, scan})
    EXPECT_EQ(chosen(fujitsu_new, collective, 1 << 20, 96, 8), chosen(open_mpi, collective, 1 << 20, 96, 8));
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

// Values of coll_tuned_decision_fixed.c on both sides of its thresholds. Its allgather goes by a rank's block.
TEST(Selector, FollowsOpenMpi41) {
  expect(Selector::open_mpi_41, {{barrier, 0, 7, "linear"},
                                 {barrier, 0, 300, "tree"},
                                 {bcast, 31, 2, "chain (1 chains)"},
                                 {bcast, 32, 2, "binary"},
                                 {bcast, 4095, 16, "knomial"},
                                 {bcast, 4096, 16, "binomial-nearest-first"},
                                 {bcast, 1 << 20, 16, "scatter-doubling-allgather"},
                                 {reduce, 8192, 256, "binary-in-order"},
                                 {allreduce, 4095, 16, "recursive-doubling"},
                                 {allreduce, 4096, 16, "rabenseifner"},
                                 {allreduce, 100, 128, "reduce-bcast"},
                                 {gather, 8191, 4, "linear"},
                                 {scatter, 511, 32, "binomial"},
                                 {scatter, 512, 32, "linear-at-once"},
                                 {scatterv, 512, 32, "linear"},
                                 {allgather, 32 * 1023, 32, "recursive-doubling"},
                                 {allgather, 32 * 1024, 32, "neighbour-exchange"},
                                 {allgather, 32 * 65536, 32, "ring"},
                                 {allgatherv, 16 * 127, 16, "gather-bcast"},
                                 {alltoall, 511, 16, "bruck"},
                                 {alltoall, 512, 16, "linear"},
                                 {alltoall, 262144, 64, "pairwise"},
                                 {reduce_scatter, 63, 32, "reduce-scatterv"},
                                 {scan, 8, 16, "linear"}});
}

// What coll_base does with few elements, of 4 B in reductions and of 1 B in broadcasts.
TEST(Selector, FallsBackForShortVectorsAsOpenMpi) {
  expect(Selector::open_mpi_41, {{allreduce, 63, 16, "recursive-doubling"}, // segmented-ring, ring
                                 {allreduce, 2048, 2048, "recursive-doubling"},
                                 {allreduce, 8191, 2048, "recursive-doubling"},
                                 {allreduce, 15, 4, "recursive-doubling"}, // ring
                                 {allreduce, 7, 2, "recursive-doubling"},
                                 {reduce, 7, 2, "linear"}, // rabenseifner
                                 {bcast, 1 << 20, 16, "scatter-doubling-allgather"}});
}

// Rules of a user whose algorithms have no table of their own: no other size or number of ranks comes into question.
std::string ruled(Collective collective, std::string_view algorithm, Bytes segment, std::uint64_t bytes, int ranks,
                  Selector selector = open_mpi) {
  CollectiveRules rules;
  rules.rows = {{.collective = collective, .algorithm = algorithm, .segment = segment}};
  Library library;
  library.selector = selector;
  library.rules = std::make_shared<CollectiveRules>(rules);
  return to_text(choose(library, collective, ranks_on_nodes(ranks, 1), Blocks::whole({bytes})));
}

TEST(Selector, FallsBackFromRulesOfUsersToo) {
  EXPECT_EQ(ruled(allreduce, "segmented-ring", kib(1), (16 << 10) - 1, 16), "ring");
  EXPECT_EQ(ruled(allreduce, "segmented-ring", kib(1), 16 << 10, 16), "segmented-ring (1 KiB segments)");
  EXPECT_EQ(ruled(allreduce, "segmented-ring", {}, 1 << 30, 16), "ring");
  EXPECT_EQ(ruled(allreduce, "ring", {}, 63, 16), "recursive-doubling");
  EXPECT_EQ(ruled(allreduce, "ring", {}, 64, 16), "ring");
  EXPECT_EQ(ruled(allreduce, "rabenseifner", {}, 63, 17), "linear");
  EXPECT_EQ(ruled(allreduce, "rabenseifner", {}, 64, 17), "rabenseifner");
  EXPECT_EQ(ruled(reduce, "rabenseifner", {}, 63, 31), "linear");
  EXPECT_EQ(ruled(reduce, "rabenseifner", {}, 64, 31), "rabenseifner");
  EXPECT_EQ(ruled(bcast, "split-binary", kib(1), 2047, 16), "chain (1 KiB segments)");
  EXPECT_EQ(ruled(bcast, "split-binary", kib(1), 2048, 16), "split-binary (1 KiB segments)");
  EXPECT_EQ(ruled(bcast, "split-binary", {}, 1, 16), "chain");
  EXPECT_EQ(ruled(bcast, "split-binary", {}, 2, 16), "split-binary");
  for (const std::string algorithm : {"scatter-doubling-allgather", "scatter-ring-allgather"}) {
    EXPECT_EQ(ruled(bcast, algorithm, {}, 15, 16), "linear");
    EXPECT_EQ(ruled(bcast, algorithm, {}, 16, 16), algorithm);
  }
}

TEST(Selector, FallsBackForShortVectorsAsMpich) {
  EXPECT_EQ(ruled(allreduce, "rabenseifner", {}, 63, 17, Selector::mpich_4), "recursive-doubling");
  EXPECT_EQ(ruled(allreduce, "rabenseifner", {}, 64, 17, Selector::mpich_4), "rabenseifner");
  EXPECT_EQ(ruled(reduce, "rabenseifner", {}, 63, 17, Selector::mpich_4), "binomial");
  expect(Selector::mpich, {{allreduce, 4095, 1024, "recursive-doubling"},
                           {allreduce, 4096, 1024, "rabenseifner"},
                           {reduce, 4095, 1024, "binomial"}});
  expect(Selector::fixed, {{allreduce, 8, 16, "recursive-doubling"}});
}

// A named algorithm is done as it is named.
TEST(Selector, KeepsNamedAlgorithmsForShortVectors) {
  Library library;
  library.algorithms[static_cast<std::size_t>(allreduce)] =
      AlgorithmChoice{index_of_algorithm(allreduce, "ring"), {}, 0};
  EXPECT_EQ(to_text(choose(library, allreduce, ranks_on_nodes(16, 1), Blocks::whole({8}))), "ring");
}

TEST(Selector, HasTwoLevelsWhereNewerLibrariesDo) {
  constexpr int ranks_per_node = 28;
  expect(Selector::open_mpi_41, {{allgather, 56, 56, "recursive-doubling"}}, ranks_per_node);
  expect(Selector::open_mpi_50,
         {{allgather, 56, 56, "two-level"}, {allreduce, 4 << 20, 56, "two-level"}, {alltoall, 512, 56, "linear"}},
         ranks_per_node);
  expect(Selector::open_mpi_50, {{allgather, 56, 28, "recursive-doubling"}}, ranks_per_node); // on one node
  expect(Selector::mpich_4, {{allreduce, 8, 56, "two-level"}, {allgather, 56, 56, "bruck"}}, ranks_per_node);
  expect(Selector::cray_mpich,
         {{bcast, 1 << 20, 56, "two-level"},
          {bcast, 1 << 20, 28, "knomial (base 4)"}, // on one node
          {bcast, 2048, 28, "shared-memory"},
          {allreduce, 2048, 56, "two-level"},
          {allreduce, 2048, 28, "shared-memory"},
          {allreduce, 2049, 56, "reduce-bcast"},
          {allreduce, 262145, 56, "rabenseifner"},
          {allgather, 524287, 56, "gather-bcast"},
          {allgather, 524288, 56, "ring"},
          {alltoall, 512, 56, "bruck"},
          {alltoall, 513, 56, "linear-strided (24 at a time)"},
          {alltoall, 512, 1064, "linear-strided (24 at a time)"},
          {alltoallv, 8, 56, "linear-strided (8 at a time)"}},
         ranks_per_node);
  expect(Selector::mpich_4, {{allreduce, 8, 16, "recursive-doubling"},
                             {allreduce, 64, 16, "rabenseifner"},
                             {barrier, 0, 16, "dissemination"}});
  expect(Selector::mvapich2,
         {{allgather, 56 * 1023, 56, "recursive-doubling"},
          {allgather, 56 * 1024, 56, "ring"},
          {allreduce, 8191, 56, "two-level"},
          {allreduce, 8192, 56, "rabenseifner"},
          {allreduce, 4095, 28, "shared-memory"}, // on one node
          {allreduce, 4096, 28, "rabenseifner"},
          {bcast, 32768, 28, "shared-memory"},
          {gather, 1, 56, "two-level"},
          {alltoall, 2048, 56, "pairwise"},
          {bcast, 8, 56, "two-level"},
          {scan, 8, 56, "two-level"}},
         ranks_per_node);
  expect(Selector::mvapich2, {{alltoall, 511, 16, "bruck"}, {alltoall, 512, 16, "linear"}});
  for (const auto selector : {Selector::intel_mpi_2019, Selector::intel_mpi_2021, Selector::mpt})
    expect(selector,
           {{allgather, 524287, 56, "two-level"},
            {allgather, 524288, 56, "ring"},
            {allreduce, 524287, 56, "two-level"},
            {allreduce, 524288, 56, "ring"},
            {allreduce, 16384, 28, "shared-memory"}, // on one node
            {allreduce, 16385, 28, "rabenseifner"},
            {barrier, 0, 56, "two-level"},
            {barrier, 0, 28, "shared-memory"},
            {bcast, 64, 28, selector == Selector::mpt ? "binomial" : "shared-memory"},
            {alltoall, 256, 56, "bruck"},
            {alltoall, 257, 56, "linear (32 at a time)"}},
           ranks_per_node);
}

TEST(Selector, TakesHcollAndUccBeforeRules) {
  constexpr int ranks_per_node = 28;
  expect(Selector::hcoll,
         {{allreduce, 4 << 20, 56, "two-level"},
          {allreduce, 32768, 28, "shared-memory"}, // on one node
          {alltoall, 512, 56, "linear"}},
         ranks_per_node);
  expect(Selector::ucc, {{allreduce, 4095, 16, "recursive-doubling"},
                         {allreduce, 4096, 16, "rabenseifner"},
                         {bcast, 32767, 16, "knomial (base 4)"},
                         {bcast, 32768, 15, "scatter-ring-allgather"},
                         {allgather, 4096, 16, "neighbour-exchange"},
                         {allgather, 4096, 15, "ring"},
                         {alltoall, 128, 16, "bruck"},
                         {alltoall, 129, 16, "pairwise"}});
  EXPECT_EQ(ruled(allreduce, "ring", {}, 1 << 20, 16, Selector::ucc), "rabenseifner");
}

// Ranks on several nodes cannot share memory, whatever a file names.
TEST(Selector, TakesSharedMemoryInANodeOnly) {
  Library library;
  library.algorithms[static_cast<std::size_t>(allreduce)] =
      AlgorithmChoice{index_of_algorithm(allreduce, "shared-memory"), {}, 0};
  EXPECT_EQ(to_text(choose(library, allreduce, ranks_on_nodes(8, 8), Blocks::whole({8}))), "shared-memory");
  EXPECT_EQ(to_text(choose(library, allreduce, ranks_on_nodes(8, 4), Blocks::whole({8}))), "recursive-doubling");
}

// The cores of a card have a memory of their own, so that a node's processes on it and beside it send messages.
TEST(Selector, TakesSharedMemoryWhereThereIsOneMemory) {
  Library library;
  library.selector = Selector::intel_mpi_2019;
  const auto chosen_with = [&](const std::vector<int>& memories) {
    const auto world = make_world(std::vector<int>(4, 0), {}, memories);
    return to_text(choose(library, allreduce, world, Blocks::whole({8})));
  };
  EXPECT_EQ(chosen_with({}), "shared-memory");
  EXPECT_EQ(chosen_with({0, 0, 0, 0}), "shared-memory");
  EXPECT_EQ(chosen_with({0, 0, 0, -5}), "recursive-doubling");
}

// Its selection says fewer than 8, below a condition on calls.
TEST(Selector, CountsEightRanksAsFewInMpichsAlltoall) {
  expect(Selector::mpich_4, {{alltoall, 200, 8, "linear (32 at a time)"},
                             {alltoall, 200, 9, "bruck"},
                             {alltoall, 32768, 8, "linear (32 at a time)"},
                             {alltoall, 32769, 8, "pairwise-exclusive-or"}});
  expect(Selector::mpich, {{alltoall, 200, 7, "linear (32 at a time)"}, {alltoall, 200, 8, "bruck"}});
}

// What alltoall/gen2_cma_RI2_28ppn.h of MVAPICH2 2.3.7 has for blocks of 1 B, 2 B … 32 KiB on its numbers of ranks:
// Bruck's algorithm (or recursive doubling, which is taken as it), all at once, or pairs.
TEST(Selector, TakesWhatMvapich2sSourceHasForAnAlltoall) {
  const std::map<int, std::string> source{{28, "BBBBBBBBLLLLLLLL"},
                                          {56, "BBBBBBBBBBBPLPPL"},
                                          {112, "BBBBBBBBBBBLPPLL"},
                                          {224, "BBBBBBBBBBLLPPLP"},
                                          {448, "BBBBBBBBBBLLPPPP"}};
  for (const auto& [ranks, letters] : source) {
    std::string found;
    for (std::uint64_t bytes = 1; bytes <= 32768; bytes *= 2)
      found += static_cast<char>(std::toupper(chosen(Selector::mvapich2, alltoall, bytes, ranks, 28).front()));
    EXPECT_EQ(found, letters) << ranks;
  }
}

TEST(Selector, FollowsRulesBeforeTheTable) {
  Library library;
  library.selector = Selector::open_mpi_41;
  library.rules = std::make_shared<CollectiveRules>(
      CollectiveRules{"mine.conf",
                      {{.collective = allgather, .algorithm = "sparbit", .bytes_below = 1024, .ranks_from = 4},
                       {.collective = allgather, .algorithm = "", .bytes_below = 2048},
                       {.collective = allgather, .algorithm = "linear", .measure = Measure::block}},
                      {}});
  const auto chosen_for = [&](std::uint64_t block, int ranks) {
    return to_text(choose(library, allgather, ranks_on_nodes(ranks, 1), Blocks::equal({block}, ranks)));
  };
  EXPECT_EQ(chosen_for(255, 4), "sparbit");
  EXPECT_EQ(chosen_for(256, 4), "recursive-doubling"); // the table's
  EXPECT_EQ(chosen_for(512, 4), "linear");
  EXPECT_EQ(chosen_for(255, 3), "recursive-doubling");
  library.selector = Selector::open_mpi_50; // on nodes coll/han decides, which does not read them
  EXPECT_EQ(chosen_for(255, 4), "sparbit");
  EXPECT_EQ(to_text(choose(library, allgather, ranks_on_nodes(8, 4), Blocks::equal({8}, 8))), "two-level");
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
    return algorithm_table()[choice.algorithm].name;
  };
  EXPECT_EQ(chosen_on({0, 0, 1, 1}), "two-level");
  EXPECT_EQ(chosen_on({1, 1, 1, 0}), "two-level");
  EXPECT_EQ(chosen_on({0, 1, 0, 1}), "recursive-doubling");
}

TEST(Selector, HasARowForEveryCall) {
  for (std::size_t s = 0; s < selector_names.size(); ++s)
    for (std::size_t i = 0; i < collective_count; ++i)
      for (const int ranks : {1, 2, 3, 16, 6144})
        for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40})
          EXPECT_NE(chosen(static_cast<Selector>(s), static_cast<Collective>(i), bytes, ranks, 16), "");
}

// A row that names no algorithm of its collective would end the program when it is chosen.
TEST(Selector, NamesOnlyAlgorithmsThatThereAre) {
  for (std::size_t s = 0; s < selector_names.size(); ++s)
    for (const auto& row : library_of(static_cast<Selector>(s)).decisions) {
      const auto index = find_algorithm(row.collective, row.algorithm);
      ASSERT_TRUE(index) << row.algorithm;
      EXPECT_TRUE(row.segment.count == 0 || algorithm_table()[*index].traits.takes_segment) << row.algorithm;
      EXPECT_TRUE(row.on_nodes || !algorithm_table()[*index].traits.has_two_levels) << row.algorithm;
      EXPECT_TRUE(row.width == 0 || algorithm_table()[*index].traits.takes_width) << row.algorithm;
    }
}

TEST(Selector, PrefersTheAlgorithmThatIsNamed) {
  Library library;
  const auto index = [](Collective collective) { return static_cast<std::size_t>(collective); };
  library.algorithms[index(bcast)] = AlgorithmChoice{index_of_algorithm(bcast, "chain"), Bytes{512}, 3};
  library.algorithms[index(barrier)] = AlgorithmChoice{index_of_algorithm(barrier, "two-level"), {}, 0};
  const auto flat = ranks_on_nodes(8, 1);
  const auto nodes = ranks_on_nodes(8, 4);
  const auto named = choose(library, bcast, flat, Blocks::whole({8}));
  EXPECT_EQ(to_text(named), "chain (512 B segments; 3 chains)");
  EXPECT_EQ(algorithm_table()[choose(library, barrier, nodes, Blocks::whole({})).algorithm].name, "two-level");
  // Inside a level there are no levels; the table decides.
  EXPECT_EQ(algorithm_table()[choose(library, barrier, flat, Blocks::whole({})).algorithm].name, "recursive-doubling");
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
  EXPECT_FALSE(world.shares_memory);
  EXPECT_TRUE(world.nodes[0].shares_memory);
  EXPECT_FALSE(make_group({0}, node_of_rank).shares_memory); // there is nobody to share it with
  const auto with_card = make_world(node_of_rank, {}, std::vector{7, 7, 3, -1, 3});
  EXPECT_FALSE(with_card.nodes[0].shares_memory);
  EXPECT_TRUE(with_card.nodes[1].shares_memory);
}

// Calls visit(rank) at each operation of a rank in the call, and behind it.
template <class Visit>
void step_through(Collective collective, const char* algorithm, Call call, Rank rank, Visit visit) {
  const auto world = ranks_on_nodes(rank.size, 1);
  Library library;
  library.algorithms[static_cast<std::size_t>(collective)] =
      AlgorithmChoice{index_of_algorithm(collective, algorithm), {}, 0};
  const auto program = perform(Communicator(rank, world, rank.id, library), collective, call);
  rank.resume_point = program.handle();
  do {
    rank.pending = nullptr;
    rank.resume_point.resume();
    visit(std::as_const(rank));
  } while (rank.pending);
}

// What a rank goes through again and again.
std::set<std::uint64_t> working_sets(Collective collective, const char* algorithm, const Blocks& blocks) {
  std::set<std::uint64_t> sizes;
  step_through(collective, algorithm, Call{blocks}, Rank(0, 2), [&](const Rank& rank) {
    if (rank.pending)
      sizes.insert(rank.working_set.count);
    else
      EXPECT_EQ(rank.working_set.count, 0u);
  });
  return sizes;
}

// A Bcast alone has 1000 B; the Allreduce or Allgather that calls it has two buffers.
TEST(WorkingSet, OfACallInACallIsThatOfTheOuterOne) {
  EXPECT_EQ(working_sets(bcast, "binomial", Blocks::whole({1000})), std::set<std::uint64_t>{1000});
  EXPECT_EQ(working_sets(allreduce, "reduce-bcast", Blocks::whole({1000})), std::set<std::uint64_t>{2000});
  EXPECT_EQ(working_sets(allgather, "gather-bcast", Blocks::even({1000}, 2)), std::set<std::uint64_t>{1500});
}

// The bytes for which a rank of four waits 0.45 ns each: those of new pages. Parts of MiB.
double new_pages(Collective collective, const char* algorithm, const Blocks& blocks, int id) {
  double found = 0;
  Call call{blocks};
  call.root = 1;
  step_through(collective, algorithm, call, Rank(id, 4), [&](const Rank& rank) {
    const auto* work = rank.pending ? std::get_if<ComputeOperation>(&rank.pending->operation) : nullptr;
    if (work && std::abs(work->time.value - 0.45e-9 * static_cast<double>(work->traffic.count)) < 1e-12)
      found += static_cast<double>(work->traffic.count) / (1 << 20);
  });
  return found;
}

// As Open MPI and MPICH allocate them: page faults in calls of 32 and 64 MiB are as many.
TEST(NewPages, AreThoseOfVectorsFrom32MiBOn) {
  const Bytes most{32 << 20}, less{(32 << 20) - 4};
  const auto vector = [&](Collective collective, const char* algorithm, int id) {
    EXPECT_EQ(new_pages(collective, algorithm, Blocks::whole(less), id), 0);
    return new_pages(collective, algorithm, Blocks::whole(most), id);
  };
  EXPECT_EQ(vector(allreduce, "recursive-doubling", 0), 32);
  EXPECT_EQ(vector(allreduce, "rabenseifner", 3), 16);
  EXPECT_EQ(vector(allreduce, "ring", 0), 0);
  EXPECT_EQ(vector(reduce, "rabenseifner", 1), 16); // the root
  EXPECT_EQ(vector(reduce, "rabenseifner", 0), 48);
  EXPECT_EQ(vector(bcast, "binomial", 0), 0);
  EXPECT_EQ(new_pages(reduce_scatter, "recursive-halving", Blocks::even(most, 4), 0), 48);
  EXPECT_EQ(new_pages(reduce_scatter, "ring", Blocks::even(most, 4), 2), 32);
}

// A rank's blocks and those of the ranks below it: half of all at the one that is two from the root.
TEST(NewPages, OfAGatherAreThoseOfASubtree) {
  const auto gather_of = [](std::uint64_t mebibytes, int id) {
    return new_pages(gather, "binomial", Blocks::even({mebibytes << 20}, 4), id);
  };
  EXPECT_EQ(gather_of(64, 3), 32);
  EXPECT_EQ(gather_of(63, 3), 0);
  EXPECT_EQ(gather_of(64, 2), 0);
  EXPECT_EQ(gather_of(128, 2), 32);
  EXPECT_EQ(gather_of(128, 1), 0); // the root
}

} // namespace
} // namespace kakehashi
