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
  program.face = [ranks](int edges) { return static_cast<std::uint64_t>(1152000 * (10 - edges) / ranks); };
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
