#include "input/growth/growth.hpp"

#include "input/growth/listed_ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Each sends to the next one and to the one before; the ends of the line have one neighbour.
RecordedSize line_of(int ranks, std::function<std::uint64_t(int)> bytes, double seconds = 1,
                     std::vector<RankGroup> groups = {}) {
  const auto events = [=](int rank) {
    Events list{work(seconds)};
    for (const int peer : {rank - 1, rank + 1})
      if (peer >= 0 && peer < ranks) {
        list.push_back(event(send(peer, bytes(rank))));
        list.push_back(event(receive(peer)));
      }
    CollectiveEvent call;
    call.collective = Collective::allreduce;
    call.size = Bytes{8};
    list.push_back(event(call));
    return list;
  };
  return {"line" + std::to_string(ranks), std::make_shared<Listed>(events, std::move(groups)), ranks};
}
RecordedSize line_of(int ranks, std::uint64_t bytes, double seconds = 1) {
  return line_of(
      ranks, [bytes](int) { return bytes; }, seconds);
}

TEST(Growth, GivesEachRankTheCallsOfTheOneWithTheSameNeighbours) {
  const auto job = grow({line_of(4, 100)}, 9);
  ASSERT_TRUE(job) << fault_of(job);
  EXPECT_EQ(sends_of(*job->source, 0), (Sends{{1, 100}}));
  EXPECT_EQ(sends_of(*job->source, 5), (Sends{{4, 100}, {6, 100}}));
  EXPECT_EQ(sends_of(*job->source, 8), (Sends{{7, 100}}));
  EXPECT_EQ(job->text, "9 ranks from line4 (4)");
  EXPECT_EQ(std::ranges::count(job->source->warnings(), "listed: something was not recorded"), 1);
}

TEST(Growth, FollowsThePowerByWhichSizesAndWorkChanged) {
  const auto job = grow({line_of(8, 400, 2), line_of(4, 800, 4)}, 32);
  ASSERT_TRUE(job) << fault_of(job);
  EXPECT_EQ(sends_of(*job->source, 31), (Sends{{30, 100}}));
  EXPECT_NEAR(work_of(*job->source, 7), 0.5, 1e-9);
}

TEST(Growth, GivesKindsThatAreInTheLargestAloneTheChangeOfAll) {
  const auto job = grow({line_of(4, 400), line_of(2, 800)}, 8); // two ranks have nobody inside
  ASSERT_TRUE(job) << fault_of(job);
  EXPECT_EQ(sends_of(*job->source, 3), (Sends{{2, 200}, {4, 200}}));
}

TEST(Growth, SaysHowFarTheLargestRecordingIsFromWhatTheOthersTell) {
  const auto found = held_out({line_of(6, 300), line_of(3, 100), line_of(12, 700)});
  ASSERT_TRUE(found) << to_text(found.errors().front());
  EXPECT_EQ(found->grown.messages, found->recorded.messages);
  EXPECT_EQ(found->grown.bytes, 22u * 900);
  EXPECT_EQ(found->recorded.bytes, 22u * 700);
  EXPECT_EQ(found->unlike, 0u);
}

TEST(Growth, ComparesBytesOfCollectiveCalls) {
  const auto with_calls = [](int ranks, std::uint64_t bytes, int calls) {
    const auto events = [=](int rank) {
      Events list{work(1)};
      if (rank > 0)
        list.push_back(event(send(rank - 1, 8)));
      if (rank + 1 < ranks)
        list.push_back(event(receive(rank + 1)));
      CollectiveEvent reduction;
      reduction.collective = Collective::allreduce;
      reduction.size = Bytes{bytes};
      for (int i = 0; i < calls; ++i)
        list.push_back(event(reduction));
      CollectiveEvent gathering;
      gathering.collective = Collective::allgatherv;
      gathering.sizes.assign(static_cast<std::size_t>(ranks), 5);
      list.push_back(event(gathering));
      return list;
    };
    return RecordedSize{"calls-" + std::to_string(ranks), std::make_shared<Listed>(events), ranks};
  };
  const auto found = held_out({with_calls(4, 100, 2), with_calls(8, 100, 2), with_calls(16, 100, 2)});
  ASSERT_TRUE(found) << to_text(found.errors().front());
  EXPECT_EQ(found->recorded.collective_calls, 16u * 3);
  EXPECT_EQ(found->grown.collective_calls, 16u * 3);
  EXPECT_EQ(found->recorded.collective_bytes, 16u * (2 * 100 + 16 * 5));
  EXPECT_EQ(found->grown.collective_bytes, found->recorded.collective_bytes);
  const auto other = held_out({with_calls(4, 100, 2), with_calls(8, 100, 2), with_calls(16, 300, 3)});
  ASSERT_TRUE(other) << to_text(other.errors().front());
  EXPECT_EQ(other->recorded.collective_bytes, 16u * (3 * 300 + 16 * 5));
  EXPECT_EQ(other->grown.collective_bytes, 16u * (2 * 100 + 16 * 5));
}

// Ranks of a line that call a collective operation for each letter, and one neighbour for each "a".
RecordedSize steps_of(int ranks, const std::string& letters) {
  const auto events = [=](int rank) {
    Events list;
    for (const char letter : letters) {
      if (letter == 'a' && rank > 0)
        list.push_back(event(send(rank - 1, 8)));
      if (letter == 'a' && rank + 1 < ranks)
        list.push_back(event(receive(rank + 1)));
      CollectiveEvent call;
      call.collective = static_cast<Collective>(letter - 'a');
      list.push_back(event(call));
    }
    return list;
  };
  return {"steps" + std::to_string(ranks), std::make_shared<Listed>(events), ranks};
}

std::string steps_of(const Result<GrownJob>& job, int rank) {
  if (!job)
    return fault_of(job);
  std::string letters;
  const auto stream = job->source->open(rank);
  while (const auto* event = stream->next())
    if (const auto* call = std::get_if<CollectiveEvent>(&event->what))
      letters += static_cast<char>('a' + static_cast<int>(call->collective));
  return letters;
}

TEST(Growth, RepeatsLoopsAsOftenAsTheirPowerTells) {
  const auto job = grow({steps_of(8, "bacacacacacacd"), steps_of(4, "bacacacd")}, 16);
  EXPECT_EQ(steps_of(job, 9), "bacacacacacacacacacacacacd");
  EXPECT_EQ(sends_of(*job->source, 9).size(), 12u);
  EXPECT_EQ(std::ranges::count(job->source->warnings(),
                               "steps8: a loop with 2 collective calls of all ranks goes round 6 times (3 in steps4); "
                               "it is taken to do so 12 times, by the power 1 of the number of ranks"),
            1);
  EXPECT_EQ(steps_of(grow({steps_of(8, "baaaaaad"), steps_of(4, "baaaaaaaaaaaad")}, 16), 0), "baaad");
}

TEST(Growth, RepeatsWhatIsInNoCommonLoop) {
  const auto job = grow({steps_of(8, "aaaaaadccez"), steps_of(4, "aaacdz")}, 16);
  EXPECT_EQ(steps_of(job, 15), "aaaaaaaaaaaadccedccez");
  EXPECT_EQ(sends_of(*job->source, 15).size(), 12u);
}

TEST(Growth, RepeatsLoopsAtLeastOnce) {
  EXPECT_EQ(steps_of(grow({steps_of(8, "baad"), steps_of(4, "baaaaaaaaaaaaaaaad")}, 64), 0), "bad");
}

TEST(Growth, RepeatsLoopsBeforeCallsThatStayAsMany) {
  EXPECT_EQ(steps_of(grow({steps_of(8, "aaaaaadcez"), steps_of(4, "aaadecz")}, 16), 0), "aaaaaaaaaaaadcez");
}

// Nobody receives what a repetition sends, so nothing shows that more of them would end.
TEST(Growth, LeavesLoopsWhoseMessagesStayOnTheWay) {
  const auto late = [](int ranks, int steps) {
    const auto events = [=](int rank) {
      Events list;
      for (int step = 0; step < steps; ++step) {
        if (rank == 0)
          for (int i = 0; i <= step % 2; ++i)
            list.push_back(event(send(1, 8)));
        list.push_back(event(CollectiveEvent{}));
      }
      return list;
    };
    return RecordedSize{"late", std::make_shared<Listed>(events), ranks};
  };
  const auto job = grow({late(8, 12), late(4, 6)}, 16);
  ASSERT_TRUE(job) << fault_of(job);
  EXPECT_EQ(steps_of(job, 0).size(), 12u);
}

TEST(Growth, RefusesWhatIsOnNoGrid) {
  const auto far = [](int rank) { return Events{event(send((rank + 10) % 64, 10))}; };
  EXPECT_EQ(fault_of(grow({{"far", std::make_shared<Listed>(far), 64}}, 512)),
            "far: its ranks are on no grid, so it cannot be grown: rank 0 calls rank 10 (record 1), which is no "
            "neighbour even "
            "on 4 x 4 x 4 ranks");
  const std::vector<RankGroup> odd{{"world", {0, 1, 2, 3, 4, 5, 6}}, {"odd", {1, 3}}};
  EXPECT_EQ(fault_of(grow({line_of(
                              7, [](int) { return 1; }, 1, odd)},
                          8)),
            "line7: its ranks are on no grid, so it cannot be grown: a communicator has ranks that are on no line or "
            "plane of "
            "it");
}

TEST(Growth, RefusesRanksThatDifferThoughTheirNeighboursDoNot) {
  const auto unlike = [](int rank) {
    return Events(static_cast<std::size_t>(rank == 2 ? 3 : 1), event(send(rank, 10)));
  };
  EXPECT_EQ(
      fault_of(grow({{"unlike", std::make_shared<Listed>(unlike), 4}}, 8)),
      "unlike: it cannot be grown: ranks 1 and 2 have the same neighbours on 4 ranks and make other calls (1 and 3 of "
      "them)");
}

// On three ranks each is a neighbour of all, so only a larger job shows that they all call rank 0.
TEST(Growth, RefusesMessagesThatNobodyWouldReceive) {
  const auto all_to_first = [](int rank) {
    if (rank > 0)
      return Events{event(send(0, 10))};
    Events list;
    for (int from = 1; from < 3; ++from)
      list.push_back(event(receive(from)));
    return list;
  };
  EXPECT_EQ(fault_of(grow({{"master", std::make_shared<Listed>(all_to_first), 3}}, 6)),
            "master: it cannot be grown: of 6 ranks, rank 2 would send 1 message to rank 1, which would receive 0, so "
            "what they do does not follow from their neighbours alone");
}

TEST(Growth, RefusesTagsThatNobodyWaitsFor) {
  const auto own_tag = [](int rank) {
    Events list;
    auto one = send((rank + 1) % 3, 10);
    one.tag = rank;
    one.blocking = false;
    list.push_back(event(one));
    ReceiveEvent receive;
    receive.from = (rank + 2) % 3;
    receive.tag = *receive.from;
    list.push_back(event(receive));
    return list;
  };
  EXPECT_EQ(fault_of(grow({{"tags", std::make_shared<Listed>(own_tag), 3}}, 6)),
            "tags: it cannot be grown: of 6 ranks, rank 1 would send 1 message to rank 2, which would receive as many "
            "with other tags, so what they do does not follow from their neighbours alone");
}

TEST(Growth, TakesAnyTagForOneThatIsWaitedFor) {
  const auto any_tag = [](int rank) {
    auto one = send((rank + 1) % 3, 10);
    one.tag = rank;
    auto any = receive((rank + 2) % 3);
    any.tag.reset();
    return Events{event(one), event(any)};
  };
  EXPECT_EQ(fault_of(grow({{"tags", std::make_shared<Listed>(any_tag), 3}}, 6)), "");
}

TEST(Growth, NeedsARankInside) {
  EXPECT_EQ(fault_of(grow({line_of(2, 10)}, 3)),
            "line2: none of its 2 ranks is inside on an axis on which rank 1 of 3 is; the "
            "largest recording needs three ranks on each axis");
  EXPECT_EQ(fault_of(grow({line_of(4, 10)}, 1)), "line4: no grid of one axis, as its own, has 1 rank");
  EXPECT_EQ(fault_of(grow({line_of(1, 10)}, 4)), "line1: it cannot be grown: no grid of any axes has 1 rank");
  EXPECT_EQ(fault_of(grow({line_of(4, 10), line_of(1, 10)}, 4)),
            "line1: it cannot be grown: no grid of one axis has 1 rank");
  EXPECT_EQ(fault_of(grow({line_of(4, 10), line_of(4, 20)}, 8)), "line4: it has 4 ranks, as line4 has");
}

TEST(Growth, GrowsLinesOfAGrid) {
  const Grid grid{{3, 3, 1}};
  std::vector<RankGroup> groups{{"world", {}}};
  for (int rank = 0; rank < grid.ranks(); ++rank)
    groups[0].members.push_back(rank);
  for (int y = 0; y < 3; ++y)
    groups.push_back({"row", ranks_on(grid, {2, 0}, 3 * y)});
  const auto events = [grid](int rank) {
    Events list;
    for (const GridStep& step : {GridStep{0, 1, 0}, GridStep{-1, 0, 0}})
      list.push_back(event(send(neighbour(grid, rank, step), 10)));
    CollectiveEvent call;
    call.collective = Collective::allgatherv;
    call.communicator = static_cast<std::size_t>(1 + grid.place_of(rank)[0]);
    call.sizes = {5, 7, 9};
    list.push_back(event(call));
    return list;
  };
  const auto job = grow({{"grid", std::make_shared<Listed>(events, groups), 9}}, 25);
  ASSERT_TRUE(job) << fault_of(job);
  ASSERT_EQ(job->source->communicators().size(), 6u);
  const auto stream = job->source->open(12);
  const TraceEvent* last = nullptr;
  while (const auto* event = stream->next())
    last = event;
  const auto& call = std::get<CollectiveEvent>(last->what);
  EXPECT_EQ(job->source->communicators()[call.communicator].members, (std::vector{10, 11, 12, 13, 14}));
  EXPECT_EQ(call.sizes, (std::vector<std::uint64_t>{5, 7, 7, 7, 9}));
  EXPECT_EQ(sends_of(*job->source, 4), (Sends{{0, 10}, {24, 10}})); // across the ends
}

TEST(Growth, KeepsBlocksOfAnAlltoallvAmongNeighbours) {
  const auto events = [](int rank) {
    CollectiveEvent call;
    call.collective = Collective::alltoallv;
    for (int to = 0; to < 6; ++to)
      call.sizes.push_back(std::abs(rank - to) == 1 ? 10 : 0);
    return Events{event(call)};
  };
  const auto job = grow({{"sparse", std::make_shared<Listed>(events), 6}}, 9);
  ASSERT_TRUE(job) << fault_of(job);
  for (int rank = 0; rank < 9; ++rank) {
    const auto stream = job->source->open(rank);
    const auto& sizes = std::get<CollectiveEvent>(stream->next()->what).sizes;
    ASSERT_EQ(sizes.size(), 9u);
    for (int to = 0; to < 9; ++to)
      EXPECT_EQ(sizes[static_cast<std::size_t>(to)], std::abs(rank - to) == 1 ? 10u : 0u) << rank << " to " << to;
  }
}

// Neighbours get 10 B, others inside 5 and the last 3. For the rank that stands in, the first one is a neighbour.
TEST(Growth, GivesFarMembersOfAnAlltoallvTheBlocksOfTheirKind) {
  const auto events = [](int rank) {
    CollectiveEvent call;
    call.collective = Collective::alltoallv;
    for (int to = 0; to < 6; ++to)
      call.sizes.push_back(std::abs(rank - to) <= 1 || std::abs(rank - to) == 5 ? 10 : to < 5 ? 5 : 3);
    return Events{event(call)};
  };
  const auto job = grow({{"kinds", std::make_shared<Listed>(events), 6}}, 9);
  ASSERT_TRUE(job) << fault_of(job);
  const auto stream = job->source->open(4);
  EXPECT_EQ(std::get<CollectiveEvent>(stream->next()->what).sizes,
            (std::vector<std::uint64_t>{5, 5, 5, 10, 10, 10, 5, 5, 3}));
}

// Of two ranks none is inside; blocks of those inside change as those of the first do.
TEST(Growth, ChangesBlocksOfKindsThatAreInTheLargestAlone) {
  const auto gathering = [](int ranks) {
    const auto events = [ranks](int) {
      CollectiveEvent call;
      call.collective = Collective::allgatherv;
      call.sizes.assign(static_cast<std::size_t>(ranks), 800 / static_cast<std::uint64_t>(ranks));
      return Events{event(call)};
    };
    return RecordedSize{"gathering" + std::to_string(ranks), std::make_shared<Listed>(events), ranks};
  };
  const auto job = grow({gathering(4), gathering(2)}, 8);
  ASSERT_TRUE(job) << fault_of(job);
  const auto stream = job->source->open(3);
  EXPECT_EQ(std::get<CollectiveEvent>(stream->next()->what).sizes, std::vector<std::uint64_t>(8, 100));
}

TEST(Growth, LetsNoSizeGrowBeyondAMillionTimes) {
  const auto job = grow({line_of(8, 1000), line_of(4, 1)}, 512);
  ASSERT_TRUE(job) << fault_of(job);
  EXPECT_EQ(sends_of(*job->source, 0), (Sends{{1, 1000000000}}));
}

TEST(Growth, TakesSizesOfCollectivesOnlyWhereAllRanksCallTheSame) {
  const auto calls = [](std::uint64_t bytes, int ranks, bool last_gathers) {
    const auto events = [=](int rank) {
      CollectiveEvent call;
      call.collective = last_gathers && rank == ranks - 1 ? Collective::gatherv : Collective::bcast;
      call.size = Bytes{bytes};
      return Events{event(call)};
    };
    return RecordedSize{"calls", std::make_shared<Listed>(events), ranks};
  };
  const auto bytes_of_last = [&](bool unlike) {
    const auto job = grow({calls(400, 4, false), calls(200, 2, unlike)}, 8);
    return job ? std::get<CollectiveEvent>(job->source->open(7)->next()->what).size.count : 0;
  };
  EXPECT_EQ(bytes_of_last(false), 800u);
  EXPECT_EQ(bytes_of_last(true), 400u);
}

TEST(Growth, RefusesAScatterFromARankThatStandsInForNobody) {
  const auto events = [](int rank) {
    CollectiveEvent call;
    call.collective = Collective::scatterv;
    call.root = 3;
    call.sizes.assign(6, rank == 3 ? 10 : 0);
    call.sizes[static_cast<std::size_t>(rank)] = 10;
    return Events{event(call)};
  };
  EXPECT_EQ(fault_of(grow({{"inner", std::make_shared<Listed>(events), 6}}, 9)),
            "inner: it cannot be grown: ranks 1 and 3 have the same neighbours on 6 ranks and make other calls (1 and "
            "1 of them)");
}

TEST(Growth, KeepsRootsAndTheLastRank) {
  const auto root_of = [](int root, int ranks) {
    const auto events = [root](int) {
      CollectiveEvent call;
      call.collective = Collective::bcast;
      call.root = root;
      return Events{event(call)};
    };
    const auto job = grow({{"roots", std::make_shared<Listed>(events), 6}}, ranks);
    return job ? std::get<CollectiveEvent>(job->source->open(1)->next()->what).root : -1;
  };
  EXPECT_EQ(root_of(4, 3), 2);
  EXPECT_EQ(root_of(4, 9), 4);
  EXPECT_EQ(root_of(5, 9), 8);
}

} // namespace
} // namespace kakehashi
