#include "input/growth/face_exchange.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Work and faces of the whole grid are divided among the ranks; each edge that a rank is at takes a tenth of both away.
FaceExchange shared_work(std::vector<int> sides) {
  FaceExchange program;
  program.sides = std::move(sides);
  const double ranks = program.ranks();
  program.work = [ranks](int edges) { return 4096 * std::pow(0.9, edges) / ranks; };
  program.face = [ranks](int edges) { return static_cast<std::uint64_t>(1728000 * (10 - edges) / ranks); };
  return program;
}
TEST(Changes, CountEdgesOnce) {
  for (const auto& program : {own_work, shared_work}) {
    expect_grown({program({4}), program({8})}, program({64}));
    expect_grown({program({2}), program({4}), program({8})}, program({16}));
    expect_grown({program({2, 2}), program({4, 4})}, program({16, 16}));
    expect_grown({program({3, 3}), program({6, 6})}, program({12, 12}));
    expect_grown({program({2, 2, 2}), program({4, 4, 4})}, program({8, 8, 8}));
  }
}

// Two ranks on an axis get one message with both faces; the sums of all ranks show that they go round as often.
TEST(Changes, AreOfAllBytesWhereOneRankIsBothNeighbours) {
  const auto program = [](std::vector<int> sides) {
    auto ring = shared_work(std::move(sides));
    ring.is_ring = ring.merges = true;
    return ring;
  };
  expect_grown({program({2, 2, 2}), program({3, 3, 3})}, program({4, 4, 4}));
  expect_grown({program({2, 2}), program({4, 4})}, program({8, 8}));
  const auto job = grow({program({2, 2, 2}).recording(), program({3, 3, 3}).recording()}, 64);
  ASSERT_TRUE(job) << fault_of(job);
  const auto& texts = job->source->warnings();
  EXPECT_EQ(texts[1],
            "faces-3-3-3: 8 of 27 kinds of ranks send other messages than in smaller recordings, or in another "
            "order: sizes of their messages are taken to change as all bytes to such neighbours do");
  EXPECT_EQ(texts[2],
            "faces-3-3-3: 19 of 27 kinds of ranks are in no smaller recording: sizes of their messages are taken "
            "to change as all bytes to such neighbours do");
  EXPECT_EQ(texts[3], "sizes of messages are taken to go on changing by a power of the number of ranks, on average -1: "
                      "0.422 times those in faces-3-3-3");
  EXPECT_EQ(texts[4],
            "work of a rank is assumed to be 0.422 times that in faces-3-3-3, by the power -1 of the number of ranks");
}

TEST(Changes, SayHowSizesOfCollectivesChange) {
  const auto blocks = [](int ranks) {
    const auto events = [ranks](int) {
      CollectiveEvent exchange;
      exchange.collective = Collective::alltoallv;
      exchange.sizes.assign(static_cast<std::size_t>(ranks), 65536 / static_cast<std::uint64_t>(ranks * ranks));
      return Events{event(exchange)};
    };
    return RecordedSize{"blocks" + std::to_string(ranks), std::make_shared<Listed>(events), ranks};
  };
  const auto job = grow({blocks(8), blocks(4)}, 16);
  ASSERT_TRUE(job) << fault_of(job);
  EXPECT_EQ(job->source->warnings()[1],
            "sizes of collective calls are taken to go on changing by a power of the number of "
            "ranks, on average -2: 0.25 times those in blocks8");
  const auto stream = job->source->open(3);
  EXPECT_EQ(std::get<CollectiveEvent>(stream->next()->what).sizes, std::vector<std::uint64_t>(16, 256));
}

// Without a sum of all ranks nothing but the number of calls shows how often they go round.
TEST(Changes, AreOfOneRound) {
  const auto rounds = [](int ranks, int count) {
    const auto events = [=](int rank) {
      Events list;
      for (int round = 0; round < count; ++round) {
        list.push_back(work(1));
        for (const int peer : {rank - 1, rank + 1})
          if (peer >= 0 && peer < ranks) {
            list.push_back(event(send(peer, 100)));
            list.push_back(event(receive(peer)));
          }
      }
      return list;
    };
    return RecordedSize{"rounds" + std::to_string(ranks), std::make_shared<Listed>(events), ranks};
  };
  const auto job = grow({rounds(8, 6), rounds(4, 3)}, 16);
  ASSERT_TRUE(job) << fault_of(job);
  EXPECT_NEAR(work_of(*job->source, 5), 6, 1e-9);
  EXPECT_EQ(sends_of(*job->source, 5), Sends({{4, 100},
                                              {6, 100},
                                              {4, 100},
                                              {6, 100},
                                              {4, 100},
                                              {6, 100},
                                              {4, 100},
                                              {6, 100},
                                              {4, 100},
                                              {6, 100},
                                              {4, 100},
                                              {6, 100}}));
}

TEST(Changes, GiveRanksOfAKindItsMeanWork) {
  auto uneven = [](int ranks) {
    const auto events = [ranks](int rank) {
      Events list{work(rank == 0 ? 7 : rank == ranks - 1 ? 5 : rank % 2 == 1 ? 1 : 3)};
      for (const int peer : {rank - 1, rank + 1})
        if (peer >= 0 && peer < ranks) {
          list.push_back(event(send(peer, 8)));
          list.push_back(event(receive(peer)));
        }
      return list;
    };
    return RecordedSize{"uneven" + std::to_string(ranks), std::make_shared<Listed>(events), ranks};
  };
  const auto job = grow({uneven(6), uneven(4)}, 9);
  ASSERT_TRUE(job) << fault_of(job);
  EXPECT_NEAR(work_of(*job->source, 0), 7, 1e-9);
  EXPECT_NEAR(work_of(*job->source, 4), 2, 1e-9);
  EXPECT_NEAR(work_of(*job->source, 8), 5, 1e-9);
}

} // namespace
} // namespace kakehashi
