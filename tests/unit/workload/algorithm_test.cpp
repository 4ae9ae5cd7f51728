// Every algorithm moves exactly the bytes that it should, for many numbers of ranks, roots and sizes.
#include "input/platform/own_algorithm_reader.hpp"
#include "workload/collective/algorithms.hpp"
#include "workload/interpreter.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

namespace kakehashi {
namespace {

#ifdef KAKEHASHI_SANITIZED // under which more ranks take minutes
constexpr int rank_counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 24};
constexpr int most_on_box = 27;
#else
constexpr int rank_counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 24, 32, 33};
constexpr int most_on_box = 36;
#endif

// What the ranks pass, and what they have before and shall have after. Sizes differ from rank to rank.
struct Case {
  AlgorithmRow row;
  int ranks;
  int root;
  std::uint64_t bytes; // of the vector, or of an average block
  int ranks_per_node;
  bool by_turns; // ranks are placed on the nodes by turns
  Bytes segment{};
  int width = 0;
  std::optional<NodePoint> box{}; // of nodes that the ranks fill
  const OwnAlgorithm* own = nullptr;
};

std::vector<int> nodes_of(const Case& test) {
  std::vector<int> nodes;
  const int count = (test.ranks + test.ranks_per_node - 1) / test.ranks_per_node;
  for (int i = 0; i < test.ranks; ++i)
    nodes.push_back(test.by_turns ? i % count : i / test.ranks_per_node);
  return nodes;
}

std::vector<NodePoint> points_of(const Case& test) {
  std::vector<NodePoint> points;
  if (test.box)
    for (const int node : nodes_of(test)) {
      const auto [x, y, z] = *test.box;
      points.push_back({node % x, node / x % y, node / x / y});
    }
  return points;
}

bool is_for_equal_blocks(Collective collective) {
  return collective == Collective::gather || collective == Collective::scatter || collective == Collective::allgather ||
         collective == Collective::alltoall;
}

// Begins of blocks, some of which are empty.
std::vector<std::uint64_t> uneven(const Case& test) {
  std::vector<std::uint64_t> begins{0};
  for (int i = 0; i < test.ranks; ++i)
    begins.push_back(begins.back() + test.bytes * static_cast<std::uint64_t>(i % 3));
  return begins;
}

void fill(Contents& memory, const Data& data, const Addends& cell) {
  data.for_each_piece([&](const Piece& piece) {
    for (std::uint64_t i = 0; i < piece.bytes; ++i)
      memory[piece.from + i] = cell;
  });
}

Addends ranks_below(int end) {
  Addends cell;
  for (int i = 0; i < end; ++i)
    cell.add(i);
  return cell;
}

struct Expectation {
  Blocks blocks;
  std::vector<Contents> before;
  std::vector<Contents> after; // what the rank must have; more does no harm
};

Expectation expectation(const Case& test, const std::vector<std::uint64_t>& begins) {
  const auto size = static_cast<std::size_t>(test.ranks);
  Expectation it{Blocks::whole({test.bytes}), std::vector<Contents>(size), std::vector<Contents>(size)};
  if (is_for_equal_blocks(test.row.collective))
    it.blocks = Blocks::equal({test.bytes}, test.ranks);
  else if (test.row.collective >= Collective::gather && test.row.collective <= Collective::reduce_scatter)
    it.blocks = Blocks::listed(begins);
  const auto& blocks = it.blocks;
  const auto all = ranks_below(test.ranks);
  for (int rank = 0; rank < test.ranks; ++rank) {
    auto& before = it.before[static_cast<std::size_t>(rank)];
    auto& after = it.after[static_cast<std::size_t>(rank)];
    const bool is_root = rank == test.root;
    switch (test.row.collective) {
    case Collective::barrier: break;
    case Collective::bcast:
      if (is_root)
        fill(before, blocks.all(), {rank});
      fill(after, blocks.all(), {test.root});
      break;
    case Collective::reduce:
    case Collective::allreduce:
      fill(before, blocks.all(), {rank});
      if (is_root || test.row.collective == Collective::allreduce)
        fill(after, blocks.all(), all);
      break;
    case Collective::gather:
    case Collective::gatherv:
    case Collective::allgather:
    case Collective::allgatherv:
      fill(before, blocks.block(rank), {rank});
      if (is_root || test.row.collective == Collective::allgather || test.row.collective == Collective::allgatherv)
        for (int i = 0; i < test.ranks; ++i)
          fill(after, blocks.block(i), {i});
      break;
    case Collective::scatter:
    case Collective::scatterv:
      if (is_root)
        fill(before, blocks.all(), {rank});
      fill(after, blocks.block(rank), {test.root});
      break;
    case Collective::alltoall:
    case Collective::alltoallv: {
      const auto total = blocks.total().count;
      const auto sent_by = [&](int from) { return blocks.at(static_cast<std::uint64_t>(from) * total); };
      fill(before, sent_by(rank).all(), {rank});
      for (int i = 0; i < test.ranks; ++i)
        fill(after, sent_by(i).block(rank), {i});
      break;
    }
    case Collective::reduce_scatter:
      fill(before, blocks.all(), {rank});
      fill(after, blocks.block(rank), all);
      break;
    case Collective::scan:
    case Collective::exscan: {
      const auto result = blocks.at(test.bytes).all();
      const bool has_own = test.row.collective == Collective::scan;
      fill(before, blocks.all(), {rank});
      if (has_own)
        fill(before, result, {rank});
      fill(after, result, ranks_below(has_own ? rank + 1 : rank));
      break;
    }
    }
  }
  return it;
}

// Empty if all is well. passed_on: the bytes that ranks sent which they had from others.
std::string fault_of(const Case& test, std::uint64_t* passed_on = nullptr) {
  const auto begins = uneven(test);
  const auto expected = expectation(test, begins);
  Library library;
  library.selector = Selector::mpich;
  if (test.box)
    library.selector = Selector::fujitsu_new;
  Interpreter interpreter(nodes_of(test), library, points_of(test));
  for (int rank = 0; rank < test.ranks; ++rank) {
    interpreter.memory(rank) = expected.before[static_cast<std::size_t>(rank)];
    Call call{expected.blocks, test.root, test.segment, test.width, test.own};
    interpreter.start(rank, test.row.run(interpreter.communicator(rank), call));
  }
  if (auto fault = interpreter.run(); !fault.empty())
    return fault;
  if (passed_on)
    *passed_on = interpreter.passed_on();
  if (test.row.traits.sends_own && interpreter.passed_on() > 0)
    return "ranks pass on what they have received";
  for (int rank = 0; rank < test.ranks; ++rank) {
    if (test.row.collective == Collective::barrier && interpreter.heard_of(rank).count() != nodes_of(test).size())
      return fmt::format("rank {} has not heard of all", rank);
    auto& memory = interpreter.memory(rank);
    for (const auto& [place, cell] : expected.after[static_cast<std::size_t>(rank)])
      if (memory[place] != cell)
        return fmt::format("rank {} has {} contributions at byte {}, not {}", rank, memory[place].size(), place,
                           cell.size());
  }
  return "";
}

std::set<int> roots_of(const AlgorithmRow& row, int ranks) {
  if (!has_root(row.collective))
    return {0};
  if (ranks > 17)
    return {0, 1, ranks - 1};
  std::set<int> all;
  for (int root = 0; root < ranks; ++root)
    all.insert(root);
  return all;
}

std::string text_of(const Case& test) {
  return fmt::format("{} {}: {} ranks, root {}, {} bytes, segment {}, width {}, {} ranks a node{}",
                     collective_names[static_cast<std::size_t>(test.row.collective)], test.row.name, test.ranks,
                     test.root, test.bytes, test.segment.count, test.width, test.ranks_per_node,
                     test.by_turns ? " by turns" : "");
}

class EachAlgorithm : public testing::TestWithParam<std::size_t> {};

TEST_P(EachAlgorithm, MovesExactlyTheBytesThatItShould) {
  const auto& row = algorithm_table()[GetParam()];
  const bool is_two_level = row.traits.has_two_levels;
  for (const int ranks : rank_counts)
    for (const int root : roots_of(row, ranks))
      for (const std::uint64_t bytes : {0, 1, 7, 29})
        for (const int ranks_per_node : is_two_level ? std::vector{2, 3, 8} : std::vector{1})
          for (const bool by_turns : is_two_level ? std::vector{false, true} : std::vector{false}) {
            Case test{row, ranks, root, bytes, ranks_per_node, by_turns};
            if (is_two_level && !has_levels(make_world(nodes_of(test)), row.collective))
              continue; // nobody chooses it then
            ASSERT_EQ(fault_of(test), "") << text_of(test);
          }
}

TEST_P(EachAlgorithm, HeedsSegmentAndWidth) {
  const auto& row = algorithm_table()[GetParam()];
  for (const int ranks : {2, 3, 8, 13})
    for (const int root : {0, ranks - 1})
      for (const int width : {1, 2, 3}) {
        Case test{row, ranks, has_root(row.collective) ? root : 0, 29, 3, false, Bytes{4}, width};
        if (row.traits.has_two_levels && !has_levels(make_world(nodes_of(test)), row.collective))
          continue;
        ASSERT_EQ(fault_of(test), "") << text_of(test);
      }
}

// What only sends what ranks had at the beginning states it, since bytes that others have written cost more.
TEST_P(EachAlgorithm, PassesOnWhatItReceivesUnlessItStatesOtherwise) {
  const auto& row = algorithm_table()[GetParam()];
  if (row.collective == Collective::barrier)
    return;
  std::uint64_t most = 0;
  for (const auto& box : {std::optional<NodePoint>(), std::optional(NodePoint{3, 2, 2})}) {
    std::uint64_t passed_on = 0;
    const Case test{row, box ? 12 : 13, 0, 29, box ? 1 : 3, false, Bytes{4}, 0, box};
    if (!row.traits.has_two_levels || has_levels(make_world(nodes_of(test)), row.collective))
      ASSERT_EQ(fault_of(test, &passed_on), "") << text_of(test);
    most = std::max(most, passed_on);
  }
  EXPECT_EQ(most == 0, row.traits.sends_own);
}

// With what Fujitsu's library uses inside the algorithm.
TEST_P(EachAlgorithm, WorksOnABox) {
  const auto& row = algorithm_table()[GetParam()];
  for (const NodePoint box : {NodePoint{3, 2, 2}, {2, 1, 1}, {1, 4, 3}, {3, 3, 3}})
    for (const int ranks_per_node : {1, 2, 3})
      for (const bool by_turns : {false, true})
        for (const Bytes segment : {Bytes{0}, Bytes{3}}) {
          const int ranks = box[0] * box[1] * box[2] * ranks_per_node;
          if (ranks > most_on_box)
            continue;
          Case test{row, ranks, 0, 7, ranks_per_node, by_turns, segment, 0, box};
          if (row.traits.has_two_levels && !has_levels(make_world(nodes_of(test)), row.collective))
            continue;
          for (const int root : {0, ranks / 2, ranks - 1}) {
            test.root = has_root(row.collective) ? root : 0;
            ASSERT_EQ(fault_of(test), "") << text_of(test);
          }
        }
}

INSTANTIATE_TEST_SUITE_P(Table, EachAlgorithm, testing::Range(std::size_t{0}, algorithm_table().size()),
                         [](const auto& test) {
                           const auto& row = algorithm_table()[test.param];
                           auto name = fmt::format("{}_{}", collective_names[static_cast<std::size_t>(row.collective)],
                                                   row.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// It is in no table.
TEST(Barrier, IsHeardOfByAllBothWays) {
  for (const int ranks : rank_counts)
    EXPECT_EQ(fault_of({{Collective::barrier, "both-ways", barrier_both_ways}, ranks, 0, 0, 1, false}), "") << ranks;
}

// The shipped files pass the check of the table's algorithms, too, and so what checks files lets nothing pass that is
// wrong.
TEST(OwnAlgorithm, MovesExactlyTheBytesThatItShould) {
  for (const auto* name : {"ring", "doubling", "by-node"}) {
    const auto own = read_own_algorithm(fmt::format("{}/libraries/collectives/{}.json", KAKEHASHI_SOURCE_DIR, name));
    ASSERT_TRUE(own) << name;
    for (const int ranks : rank_counts)
      for (const std::uint64_t bytes : {0, 1, 7, 29})
        for (const int ranks_per_node : {1, 2, 3, 8}) {
          const Case test{
              row_of(AlgorithmChoice{0, {}, 0, *own}), ranks, 0, bytes, ranks_per_node, false, {}, 0, {}, own->get()};
          if ((*own)->is_for(ranks) && ranks % ranks_per_node == 0)
            ASSERT_EQ(fault_of(test), "") << text_of(test);
        }
  }
}

// How many messages it takes of ranks that have a block of 8 B each.
std::size_t messages_of(Algorithm algorithm, int ranks, Bytes segment) {
  std::vector<int> nodes(static_cast<std::size_t>(ranks));
  std::iota(nodes.begin(), nodes.end(), 0);
  Interpreter interpreter(nodes, {});
  const auto blocks = Blocks::equal(Bytes{8}, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    fill(interpreter.memory(rank), blocks.block(rank), {rank});
    interpreter.start(rank, algorithm(interpreter.communicator(rank), {blocks, 0, segment, 0}));
  }
  EXPECT_EQ(interpreter.run(), "");
  return interpreter.messages();
}

TEST(Allgather, OfSparbitSendsEachBlockOnceToEach) {
  for (const int ranks : rank_counts)
    EXPECT_EQ(messages_of(allgather_sparbit, ranks, {}), static_cast<std::size_t>(ranks * (ranks - 1))) << ranks;
}

// A call to each other rank, which answers in one message, or with a first segment and the rest.
TEST(Gather, SynchronisedSplitsWhatIsLongerThanASegment) {
  EXPECT_EQ(messages_of(gather_linear_synchronised, 3, Bytes{8}), 2U * 2);
  EXPECT_EQ(messages_of(gather_linear_synchronised, 3, Bytes{7}), 2U * 3);
  EXPECT_EQ(messages_of(gather_linear_synchronised, 3, Bytes{2}), 2U * 3);
}

// A block of 1000 B in four segments: each of the four ranks sends 3 · 4 of them, then 3 whole blocks of the sum.
TEST(Allreduce, GoesRoundTheRingOnceForEachSegment) {
  Interpreter interpreter({0, 1, 2, 3}, {});
  const auto vector = Blocks::whole(Bytes{4000});
  for (int rank = 0; rank < 4; ++rank) {
    fill(interpreter.memory(rank), vector.all(), {rank});
    interpreter.start(rank, allreduce_segmented_ring(interpreter.communicator(rank), {vector, 0, Bytes{250}, 0}));
  }
  EXPECT_EQ(interpreter.run(), "");
  EXPECT_EQ(interpreter.messages(), 4U * (3 * 4 + 3));
}

// The check itself can fail.
Program bcast_that_forgets(Communicator comm, Call call) {
  if (comm.rank() == 0)
    co_await comm.send(1, call.blocks.part_of(0, 0, 2));
  else if (comm.rank() == 1)
    co_await comm.receive(0);
}
Program bcast_of_what_it_lacks(Communicator comm, Call call) {
  if (comm.rank() == 0)
    co_await comm.receive(1);
  else if (comm.rank() == 1)
    co_await comm.send(0, call.blocks.all());
}
Program allreduce_that_adds_twice(Communicator comm, Call call) {
  for (int i = 0; i < 2; ++i) {
    co_await comm.sendreceive(1 - comm.rank(), call.blocks.all().to_add(), 1 - comm.rank());
    co_await comm.add(call.blocks.total());
  }
}
Program allreduce_without_arithmetic(Communicator comm, Call call) {
  co_await comm.sendreceive(1 - comm.rank(), call.blocks.all().to_add(), 1 - comm.rank());
}
Program barrier_of_neighbours(Communicator comm, Call) {
  co_await comm.sendreceive((comm.rank() + 1) % comm.size(), Nothing{}, (comm.rank() + comm.size() - 1) % comm.size());
}
Program bcast_that_never_comes(Communicator comm, Call) {
  if (comm.rank() == 1)
    co_await comm.receive(0);
}

TEST(Interpreter, FindsFaultyAlgorithms) {
  const auto fault = [](Collective collective, Algorithm algorithm, int ranks) {
    return fault_of({{collective, "faulty", algorithm}, ranks, 0, 8, 1, false});
  };
  EXPECT_EQ(fault(Collective::bcast, bcast_that_forgets, 2), "rank 1 has 0 contributions at byte 4, not 1");
  EXPECT_EQ(fault(Collective::bcast, bcast_of_what_it_lacks, 2), "rank 1 sends byte 0, which it does not have");
  EXPECT_EQ(fault(Collective::allreduce, allreduce_that_adds_twice, 2), "rank 0 has 4 contributions at byte 0, not 2");
  EXPECT_EQ(fault(Collective::allreduce, allreduce_without_arithmetic, 2), "rank 0 adds 0 bytes, not 8");
  EXPECT_EQ(fault(Collective::barrier, barrier_of_neighbours, 3), "rank 0 has not heard of all");
  EXPECT_EQ(fault(Collective::bcast, bcast_that_never_comes, 2), "rank 1 waits for ever: recv from rank 0 (tag -2)");
}

} // namespace
} // namespace kakehashi
