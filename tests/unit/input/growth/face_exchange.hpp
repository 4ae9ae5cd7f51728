// Recordings without noise of a program on a grid, all of whose sizes and times a test knows.
#pragma once

#include "input/growth/listed_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace kakehashi {

// Ranks exchange with their neighbours across the faces of a grid, work, and add up.
struct FaceExchange {
  std::vector<int> sides;                       // numbers of ranks on the axes; ranks are numbered along the last first
  std::function<double(int edges)> work;        // of a rank that is first or last on so many axes
  std::function<std::uint64_t(int edges)> face; // bytes of such a rank's messages
  bool is_ring = false;                         // the first and last on each axis are neighbours, too
  bool merges = false; // a rank that is both neighbours on an axis gets one message with both faces
  int sums = 1;        // of all ranks

  int ranks() const {
    int ranks = 1;
    for (const int side : sides)
      ranks *= side;
    return ranks;
  }
  Events events(int rank) const {
    Events exchange;
    int edges = 0, stride = 1;
    for (std::size_t axis = sides.size(); axis-- > 0; stride *= sides[axis]) {
      const int side = sides[axis], place = rank / stride % side;
      edges += place == 0 || place == side - 1;
      for (const int way : {-1, 1}) {
        const int next = place + way;
        if ((!is_ring && (next < 0 || next >= side)) || (merges && side == 2 && way > 0))
          continue;
        const int peer = rank + ((next + side) % side - place) * stride;
        exchange.push_back(event(send(peer, merges && side == 2 ? 2 : 1)));
        exchange.push_back(event(receive(peer)));
      }
    }
    Events list{kakehashi::work(work(edges))};
    for (auto& each : exchange) {
      if (auto* out = std::get_if<SendEvent>(&each.what))
        out->size.count *= face(edges);
      list.push_back(each);
    }
    CollectiveEvent sum;
    sum.collective = Collective::allreduce;
    sum.size = Bytes{8};
    for (int i = 0; i < sums; ++i)
      list.push_back(event(sum));
    return list;
  }
  RecordedSize recording() const {
    std::string name = "faces";
    for (const int side : sides)
      name += "-" + std::to_string(side);
    return {name, std::make_shared<Listed>([own = *this](int rank) { return own.events(rank); }), ranks()};
  }
};

// Work and faces stay the same on any number of ranks.
inline FaceExchange own_work(std::vector<int> sides) {
  FaceExchange program;
  program.sides = std::move(sides);
  program.work = [](int edges) { return std::pow(0.5, edges); };
  program.face = [](int edges) { return static_cast<std::uint64_t>(8 >> edges); };
  return program;
}

// Each rank of the grown job does what the program would on so many ranks.
inline void expect_grown(const std::vector<FaceExchange>& recorded, const FaceExchange& expected,
                         const std::vector<int>& stated = {}) {
  std::vector<RecordedSize> recordings;
  for (const auto& program : recorded)
    recordings.push_back(program.recording());
  const auto job = grow(std::move(recordings), expected.ranks(), stated);
  ASSERT_TRUE(job) << fault_of(job);
  const auto whole = expected.recording();
  for (int rank = 0; rank < expected.ranks(); ++rank) {
    EXPECT_NEAR(work_of(*job->source, rank), work_of(*whole.source, rank), 1e-9) << job->text << ": rank " << rank;
    auto sends = sends_of(*job->source, rank), others = sends_of(*whole.source, rank);
    std::ranges::sort(sends);
    std::ranges::sort(others);
    EXPECT_EQ(sends, others) << job->text << ": rank " << rank;
  }
}

} // namespace kakehashi
