#include "input/growth/doubling_plan.hpp"

#include "input/growth/listed_ranks.hpp"

#include <array>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// At each stage a rank sends to the one that differs in a bit, from the highest on. All requests end behind the last
// stage.
RecordedSize halving(int bits, std::function<std::uint64_t(int, int)> bytes) {
  const auto events = [=](int rank) {
    std::vector<TraceEvent> list;
    CompleteEvent end;
    for (int stage = 0; stage < bits; ++stage) {
      SendEvent send;
      send.to = rank ^ 1 << (bits - 1 - stage);
      send.tag = stage;
      send.size = Bytes{bytes(bits, stage)};
      send.request = static_cast<std::uint64_t>(stage + 1);
      end.requests.push_back(send.request);
      list.push_back({1, {}, {}, {}, send});
      ReceiveEvent receive;
      receive.from = send.to;
      receive.tag = stage;
      list.push_back({1, {}, {}, {}, receive});
      list.push_back({1, {}, {}, {}, ElapseEvent{Seconds{1}, true}});
    }
    list.push_back({1, {}, {}, {}, end});
    return list;
  };
  return {"halving" + std::to_string(1 << bits), std::make_shared<Listed>(events), 1 << bits};
}

std::string text_of(const Result<GrownJob>& job, int rank) {
  if (!job)
    return to_text(job.errors().front());
  std::string text;
  const auto stream = job->source->open(rank);
  while (const auto* event = stream->next())
    if (const auto* send = std::get_if<SendEvent>(&event->what))
      text +=
          std::to_string(*send->to) + ":" + std::to_string(send->tag) + ":" + std::to_string(send->size.count) + " ";
    else if (const auto* end = std::get_if<CompleteEvent>(&event->what))
      text += "ends " + std::to_string(end->requests.size());
  return text;
}

TEST(Doubling, AddsStagesToPartnersThatAreAsFarAgain) {
  const auto job = grow_by_doubling({halving(3, [](int, int stage) { return 1024 >> stage; }),
                                     halving(2, [](int, int stage) { return 1024 >> stage; })},
                                    32);
  EXPECT_EQ(text_of(job, 5), "21:0:1024 13:1:512 1:2:256 7:3:128 4:4:64 ends 5");
}

// As in Bruck's algorithm. With two ranks the last of the stages, and the only one, shows no way around the ring.
TEST(Doubling, AddsStagesAroundRings) {
  const auto ring = [](int bits) {
    const auto events = [=](int rank) {
      std::vector<TraceEvent> list;
      for (int bit = 0; bit < bits; ++bit) {
        SendReceiveEvent both;
        both.send.to = (rank + (1 << bits) - (1 << bit)) % (1 << bits);
        both.receive.from = (rank + (1 << bit)) % (1 << bits);
        both.receive.tag = 0;
        both.send.size = Bytes{std::uint64_t{10} << bit};
        list.push_back({1, {}, {}, {}, both});
      }
      return list;
    };
    return RecordedSize{"ring" + std::to_string(1 << bits), std::make_shared<Listed>(events), 1 << bits};
  };
  for (const int smaller : {1, 2}) {
    const auto job = grow_by_doubling({ring(3), ring(smaller)}, 1 << (smaller == 1 ? 5 : 4));
    ASSERT_TRUE(job) << to_text(job.errors().front());
    std::string text;
    const auto stream = job->source->open(3);
    while (const auto* event = stream->next()) {
      const auto& both = std::get<SendReceiveEvent>(event->what);
      text += std::to_string(*both.send.to) + "<" + std::to_string(*both.receive.from) + " ";
    }
    EXPECT_EQ(text, smaller == 1 ? "2<4 1<5 31<7 27<11 19<19 " : "2<4 1<5 15<7 11<11 ");
  }
}

TEST(Doubling, FollowsThePowerOfSizesStageByStage) {
  const auto job = grow_by_doubling({halving(3, [](int bits, int stage) { return 64u << (bits - stage); }),
                                     halving(2, [](int bits, int stage) { return 64u << (bits - stage); })},
                                    16);
  EXPECT_EQ(text_of(job, 0), "8:0:1024 4:1:512 2:2:256 1:3:128 ends 4");
}

// Of a device: each stage begins work that waits for that of the stage before.
TEST(Doubling, ChainsWorksOfStagesThatAreAdded) {
  const auto chain = [](int bits) {
    const auto events = [=](int rank) {
      Events list;
      for (int stage = 0; stage < bits; ++stage) {
        const auto number = static_cast<std::uint64_t>(stage + 1);
        SendEvent send;
        send.to = rank ^ 1 << stage;
        send.size = Bytes{8};
        list.push_back({1, {}, {}, {}, send});
        ReceiveEvent receive;
        receive.from = send.to;
        receive.tag = 0;
        list.push_back({1, {}, {}, {}, receive});
        list.push_back({1, {}, {}, {}, DeviceWorkEvent{number, {number - 1}, {}, Seconds{1}}});
      }
      list.push_back({1, {}, {}, {}, DeviceWaitEvent{{static_cast<std::uint64_t>(bits)}}});
      return list;
    };
    return RecordedSize{"chain" + std::to_string(1 << bits), std::make_shared<Listed>(events), 1 << bits};
  };
  const auto job = grow_by_doubling({chain(3), chain(2)}, 32);
  ASSERT_TRUE(job) << to_text(job.errors().front());
  std::string text;
  const auto stream = job->source->open(9);
  while (const auto* event = stream->next())
    if (const auto* work = std::get_if<DeviceWorkEvent>(&event->what))
      text += std::to_string(work->after.front()) + ">" + std::to_string(work->number) + " ";
    else if (const auto* wait = std::get_if<DeviceWaitEvent>(&event->what))
      text += "-" + std::to_string(wait->works.front());
  EXPECT_EQ(text, "0>1 1>2 2>3 3>4 4>5 -5");
}

TEST(Doubling, NamesWhatDoesNotFit) {
  const auto all = [](int, int) { return 8; };
  EXPECT_EQ(text_of(grow_by_doubling({halving(3, all), halving(1, all)}, 16), 0),
            "halving8: no two recordings that fit are as many doublings apart as the larger is from 16 ranks");
  const auto random = [](int rank) {
    SendEvent send;
    send.to = rank * 3 % 8;
    return std::vector<TraceEvent>{{7, {}, {}, {}, send}};
  };
  EXPECT_EQ(text_of(grow_by_doubling({{"random", std::make_shared<Listed>(random), 8}, halving(2, all)}, 16), 0),
            "random: rank 0 calls rank 0 (record 7), and whom the others call there does not follow from bits of their "
            "numbers");
}

TEST(Doubling, RefusesMessagesThatNobodyWouldReceive) {
  const auto tagged = [](int bits, std::array<int, 4> tags) {
    const auto events = [=](int rank) {
      std::vector<TraceEvent> list;
      for (const int tag : {tags[0], tags[1]}) {
        SendEvent send;
        send.to = rank ^ 1;
        send.tag = tag;
        list.push_back({1, {}, {}, {}, send});
      }
      for (const int tag : {tags[2], tags[3]}) {
        ReceiveEvent receive;
        receive.from = rank ^ 1;
        receive.tag = tag;
        list.push_back({1, {}, {}, {}, receive});
      }
      return list;
    };
    return RecordedSize{"tagged" + std::to_string(1 << bits), std::make_shared<Listed>(events), 1 << bits};
  };
  EXPECT_EQ(text_of(grow_by_doubling({tagged(2, {5, 7, 7, 5}), tagged(1, {5, 6, 5, 6})}, 8), 0),
            "tagged4: it cannot be grown: on 8 ranks not all messages would be received if partners went on as from "
            "tagged2 to it");
  EXPECT_EQ(text_of(grow_by_doubling({tagged(2, {5, 7, 5, 7}), tagged(1, {5, 6, 5, 6})}, 8), 0), "1:5:0 1:8:0 ");
}

std::vector<int> partners_of(int ranks, std::function<int(int)> partner) {
  std::vector<int> partners;
  for (int rank = 0; rank < ranks; ++rank)
    partners.push_back(partner(rank));
  return partners;
}

TEST(BitPartner, GoesOnAsItDid) {
  const auto transposed = [](int side) { return [side](int rank) { return rank % side * side + rank / side; }; };
  const auto small = bit_partner_of(partners_of(4, transposed(2)));
  const auto large = bit_partner_of(partners_of(16, transposed(4)));
  ASSERT_TRUE(small && large);
  const auto larger = beyond(*small, *large, 1, 6);
  ASSERT_TRUE(larger);
  for (int rank = 0; rank < 64; ++rank)
    EXPECT_EQ(larger->of(rank), transposed(8)(rank));
  EXPECT_EQ(bit_partner_of(partners_of(8, [](int rank) { return (rank + 3) % 8; })), std::nullopt);
  const auto only = [](int bit, int bits) { return partner_at({bit, bit + 1, 0}, bits); };
  EXPECT_EQ(beyond(only(0, 1), only(1, 2), 2, 4), only(3, 4));
  EXPECT_EQ(beyond(only(1, 2), only(3, 3), 1, 4), std::nullopt);
}

TEST(BitPartner, GoesAroundRingsOfRows) {
  const auto before = [](int columns) {
    return [columns](int rank) { return rank / columns * columns + (rank + columns - 1) % columns; };
  };
  const auto pair = bit_partner_of(partners_of(4, before(2))); // two show no way
  const auto ring = bit_partner_of(partners_of(16, before(4)));
  ASSERT_TRUE(pair && ring);
  EXPECT_EQ(ring->stage(), (BitStage{0, 2, -1}));
  const auto larger = beyond(*pair, *ring, 1, 6);
  ASSERT_TRUE(larger);
  for (int rank = 0; rank < 64; ++rank)
    EXPECT_EQ(larger->of(rank), before(8)(rank));
}

} // namespace
} // namespace kakehashi
