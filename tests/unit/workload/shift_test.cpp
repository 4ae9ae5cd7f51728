// Algorithms of which the table says that all ranks do the same with those further on.
#include "workload/collective/collective.hpp"
#include "workload/dry_run.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

constexpr int ranks = 12;

// What a rank asks for, with the distances to other ranks in place of their numbers, to its other side if it is
// mirrored. Nothing has to happen for it to go on.
std::vector<std::string> story_of(int id, const AlgorithmRow& row, const Group& world, const Library& library,
                                  bool is_mirrored = false) {
  Rank rank(id, ranks);
  Call call{Blocks::equal(Bytes{1000}, ranks)};
  call.width = 3;
  auto program = row.run(Communicator(rank, world, id, library), call);
  const auto distance = [&](int other) { return ((is_mirrored ? id - other : other - id) + ranks) % ranks; };
  std::vector<std::string> story;
  rank.resume_point = program.handle();
  for (std::uint32_t requests = 0;;) {
    rank.resume_point.resume();
    if (program.done())
      return story;
    auto operation = rank.pending->operation;
    rank.pending->request = {requests++};
    if (auto* send = std::get_if<SendOperation>(&operation))
      send->to = distance(send->to);
    else if (auto* receive = std::get_if<ReceiveOperation>(&operation))
      receive->from = distance(receive->from);
    else if (auto* both = std::get_if<SendReceiveOperation>(&operation))
      std::tie(both->send.to, both->receive.from) = std::pair(distance(both->send.to), distance(both->receive.from));
    else if (auto* remote = std::get_if<RemoteOperation>(&operation))
      remote->peer = distance(remote->peer);
    story.push_back(to_text(operation));
    if (const auto* compute = std::get_if<ComputeOperation>(&operation))
      story.back() += std::to_string(compute->time.value);
    if (const auto* remote = std::get_if<RemoteOperation>(&operation); remote && remote->is_read)
      story.push_back("rank " +
                      std::to_string(id)); // which ranks that stand for others cannot do, so it is not the same
  }
}

TEST(Shift, RowsThatAllowItDoTheSameForAllRanks) {
  const auto world = make_world(std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, {});
  const Library library;
  std::size_t allowing = 0;
  for (const auto& row : algorithm_table()) {
    allowing += row.traits.shifts_by > 0;
    for (int by = row.traits.shifts_by; row.traits.shifts_by > 0 && by < ranks; by += row.traits.shifts_by)
      for (int id = 0; id < ranks; ++id)
        EXPECT_EQ(story_of(id, row, world, library), story_of((id + by) % ranks, row, world, library))
            << row.name << ", rank " << id << " and " << by << " further on";
  }
  EXPECT_EQ(allowing, 18u);
}

TEST(Shift, MirroredRowsDoTheSameFromBothEnds) {
  const auto world = make_world(std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, {});
  const Library library;
  const auto expect_mirrored = [&](const AlgorithmRow& row) {
    for (int id = 0; id < ranks; ++id)
      EXPECT_EQ(story_of(id, row, world, library), story_of(ranks - 1 - id, row, world, library, true))
          << row.name << ", rank " << id;
  };
  std::size_t mirrored = 0;
  for (const auto& row : algorithm_table())
    if (row.traits.is_mirrored) {
      ++mirrored;
      expect_mirrored(row);
    }
  EXPECT_EQ(mirrored, 2u);
  expect_mirrored({Collective::barrier, "both-ways", barrier_both_ways}); // which benchmarks of these use
}

// One call by 16 ranks, four on each of four nodes.
bool are_alike(Collective collective, std::string_view algorithm, Bytes size, RankImages ranks) {
  const auto world = make_world(std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, {});
  const Library library;
  const auto& row = algorithm_table()[index_of_algorithm(collective, algorithm)];
  ranks.images = 16 / ranks.ranks;
  ranks.of = 16;
  Job job;
  job.program = [&](Rank& rank) {
    return row.run(Communicator(rank, world, rank.id, library), Call{Blocks::even(size, 16)});
  };
  const bool all = are_alike(job, ranks);
  EXPECT_LE(all, first_images_are_alike(job, ranks));
  return all;
}

TEST(AlikeRanks, AreSeenWhereTheyShift) {
  for (const int ranks : {1, 2, 4, 8}) {
    EXPECT_TRUE(are_alike(Collective::allreduce, "ring", Bytes{1600}, {.ranks = ranks}));
    EXPECT_FALSE(are_alike(Collective::allreduce, "ring", Bytes{1601}, {.ranks = ranks})); // one block has a byte more
    EXPECT_FALSE(are_alike(Collective::reduce, "binomial", Bytes{1600}, {.ranks = ranks}));
    EXPECT_FALSE(are_alike(Collective::barrier, "linear", Bytes{}, {.ranks = ranks}));
  }
}

TEST(AlikeRanks, AreSeenWhereTheyChangePlaces) {
  const auto change_places = [](Collective collective, std::string_view algorithm, int ranks) {
    return are_alike(collective, algorithm, Bytes{1600}, {.ranks = ranks, .changes_places = true});
  };
  for (const int ranks : {1, 2, 4, 8}) {
    EXPECT_TRUE(change_places(Collective::allreduce, "recursive-doubling", ranks));
    EXPECT_TRUE(change_places(Collective::allreduce, "rabenseifner", ranks));
    EXPECT_TRUE(change_places(Collective::alltoall, "pairwise-exclusive-or", ranks));
    EXPECT_EQ(change_places(Collective::allreduce, "two-level", ranks), ranks >= 4) << ranks; // the first of each node
    EXPECT_EQ(change_places(Collective::barrier, "dissemination", ranks), ranks == 8);        // which is a shift
    EXPECT_FALSE(change_places(Collective::scan, "recursive-doubling", ranks));
  }
  EXPECT_FALSE(are_alike(Collective::allreduce, "recursive-doubling", Bytes{1600}, {.ranks = 4}));
}

} // namespace
} // namespace kakehashi
