#include "input/growth/face_exchange.hpp"

#include <cstdlib>

namespace kakehashi {
namespace {

TEST(Grid, NumbersRanksByHalvesToo) {
  const auto grids = grids_of(64, 3);
  EXPECT_EQ(grids.front().extent, (GridPlace{4, 4, 4}));
  ASSERT_TRUE(grids.back().is_halved);
  EXPECT_EQ(grids.back().place_of(8), (GridPlace{2, 0, 0}));
  for (int rank = 0; rank < 64; ++rank)
    EXPECT_EQ(grids.back().rank_of(grids.back().place_of(rank)), rank);
  EXPECT_EQ(grids_of(7, 1).size(), 1u);
  EXPECT_TRUE(grids_of(7, 2).empty());
}

GridPlace sides_of(const std::function<Events(int)>& events, int ranks) {
  const auto size = survey_size({"recording", std::make_shared<Listed>(events), ranks}, 0);
  return size ? size->grid.extent : GridPlace{};
}

// Ranks on 4 x 3 send to the next one on both axes. On 3 x 4 that is fewer axes to go, but not for all alike.
TEST(RecordedGrid, HasAlikeRanksWithTheSameNeighbours) {
  const auto diagonal = [](int rank) {
    const int x = rank / 3, y = rank % 3;
    return Events{event(send((x + 1) % 4 * 3 + (y + 1) % 3, 100)), event(receive((x + 3) % 4 * 3 + (y + 2) % 3))};
  };
  EXPECT_EQ(sides_of(diagonal, 12), (GridPlace{4, 3, 1}));
}

// Ranks have up to 17 neighbours; of so few ranks each is a neighbour of most on any grid, but gets most across a face.
TEST(RecordedGrid, HasFacesForMostBytes) {
  for (const auto& sides : {GridPlace{3, 2, 2}, GridPlace{2, 3, 2}, GridPlace{2, 2, 3}, GridPlace{3, 2, 3}}) {
    const auto box = [&](int rank) {
      Events list;
      const auto place_of = [&](int each) {
        return GridPlace{each / sides[1] / sides[2], each / sides[2] % sides[1], each % sides[2]};
      };
      for (int peer = 0; peer < sides[0] * sides[1] * sides[2]; ++peer) {
        int axes = 0;
        bool is_near = peer != rank;
        for (std::size_t axis = 0; axis < grid_axes; ++axis) {
          const int distance = std::abs(place_of(peer)[axis] - place_of(rank)[axis]);
          is_near = is_near && distance <= 1;
          axes += distance;
        }
        if (is_near)
          list.push_back(event(send(peer, axes == 1 ? 10000 : axes == 2 ? 100 : 1)));
      }
      return list;
    };
    EXPECT_EQ(sides_of(box, sides[0] * sides[1] * sides[2]), sides);
  }
}

// As MPI_Dims_create and MPI_Cart_create number them, and the other way round.
TEST(GrownGrid, IsNumberedAsThatOfTheRecordings) {
  for (const bool is_ring : {false, true}) {
    const auto program = [&](std::vector<int> sides) {
      auto exchange = own_work(std::move(sides));
      exchange.is_ring = is_ring;
      return exchange;
    };
    expect_grown({program({4, 3, 3})}, program({4, 4, 3}));
    expect_grown({program({4, 4, 3})}, program({8, 4, 4}));
    expect_grown({program({3, 3, 4})}, program({3, 4, 4}));
    expect_grown({program({3, 4, 4}), program({2, 2, 3})}, program({4, 4, 8}));
    expect_grown({program({4, 4, 3}), program({3, 2, 2})}, program({8, 4, 4}));
    expect_grown({program({3, 4})}, program({4, 6}));
    expect_grown({program({4, 3})}, program({6, 4}));
  }
}

TEST(GrownGrid, IsTheMostCubicIfTheOthersAre) {
  expect_grown({own_work({6, 3}), own_work({3, 3})}, own_work({9, 8}));
  expect_grown({own_work({8, 3})}, own_work({16, 6}));
}

std::vector<std::string> texts_of(const std::vector<FaceExchange>& programs, int ranks, std::vector<int> stated = {}) {
  std::vector<RecordedSize> recordings;
  for (const auto& program : programs)
    recordings.push_back(program.recording());
  const auto job = grow(std::move(recordings), ranks, stated);
  return job ? job->source->warnings() : std::vector{fault_of(job)};
}

TEST(GrownGrid, FollowsMpiWhereNoRecordingShowsItsOrder) {
  const std::vector cubes{own_work({2, 2, 2}), own_work({3, 3, 3})};
  expect_grown(cubes, own_work({4, 4, 2}));
  EXPECT_EQ(texts_of(cubes, 32)[0], "4 x 4 x 2 ranks from faces-3-3-3 (3 x 3 x 3) and faces-2-2-2: each does what the "
                                    "one with the same neighbours did");
  EXPECT_EQ(texts_of(cubes, 32)[1],
            "ranks are taken to be numbered along the last axis of 4 x 4 x 2 first, as MPI_Dims_create and "
            "MPI_Cart_create do, for axes are equally long in all recordings; \"grid\" states another grid");
  EXPECT_EQ(texts_of({own_work({4, 3, 3})}, 48)[1],
            "ranks are numbered along the last axis of 4 x 4 x 3 first, as along that of 4 x 3 x 3 in faces-4-3-3; "
            "\"grid\" states another grid");
}

TEST(GrownGrid, IsTheStatedOne) {
  const std::vector cubes{own_work({2, 2, 2}), own_work({3, 3, 3})};
  expect_grown(cubes, own_work({2, 4, 4}), {2, 4, 4});
  expect_grown({own_work({4, 3, 3})}, own_work({3, 4, 4}), {3, 4, 4});
  for (const auto& text : texts_of(cubes, 32, {2, 4, 4}))
    EXPECT_EQ(text.find("last axis"), text.npos) << text;
  EXPECT_EQ(texts_of(cubes, 32, {8, 4}),
            (std::vector<std::string>{"faces-3-3-3: got the \"grid\" 8 x 4, expected one of 3 axes, as its own"}));
}

// Compared on one grid, the ranks of the other order would seem to make the same calls.
TEST(GrownGrid, IsComparedRankByRank) {
  const auto as_mpi =
      held_out({own_work({2, 2, 2}).recording(), own_work({3, 3, 3}).recording(), own_work({4, 4, 2}).recording()});
  ASSERT_TRUE(as_mpi) << to_text(as_mpi.errors().front());
  EXPECT_EQ(as_mpi->unlike, 0u);
  const auto other =
      held_out({own_work({2, 2, 2}).recording(), own_work({3, 3, 3}).recording(), own_work({2, 4, 4}).recording()});
  ASSERT_TRUE(other) << to_text(other.errors().front());
  EXPECT_EQ(other->unlike, 32u);
}

// Each calls all others, so nothing shows the order.
TEST(RecordedGrid, IsThatOfMpiIfAnyWouldDo) {
  const auto all = [](int rank) {
    Events list;
    for (int peer = 0; peer < 12; ++peer)
      if (peer != rank)
        list.push_back(event(send(peer, 100)));
    return list;
  };
  EXPECT_EQ(sides_of(all, 12), (GridPlace{3, 2, 2}));
}

TEST(RecordedGrid, CountsMessagesWithoutBytes) {
  auto program = own_work({2, 2, 3});
  program.face = [](int) { return 0; };
  EXPECT_EQ(sides_of([&](int rank) { return program.events(rank); }, 12), (GridPlace{2, 2, 3}));
}

} // namespace
} // namespace kakehashi
