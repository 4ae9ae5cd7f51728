#include "gpu_machine.hpp"

namespace kakehashi {
namespace {

GpuTime time_of(const GpuMachine& machine, GpuOperation operation, std::uint64_t size, const GpuWishes& wishes = {}) {
  const auto found = collectives_of(machine)->time(operation, Bytes{size}, wishes);
  EXPECT_TRUE(found) << to_text(found.errors().front());
  return *found;
}

GpuGeneration generation(const GpuMachine& machine) {
  return *collectives_of(machine)->system().generation;
}

// A launch, 14 steps, and in each an eighth of the vector by one channel, which copies at its own rate.
TEST(GpuTimes, RingOfLlByHand) {
  const auto& hopper = generation(GpuMachine{});
  const auto time = time_of({}, GpuOperation::allreduce, 4096, {GpuAlgorithm::ring, GpuProtocol::ll, {}});
  const auto& ll = hopper.hops[0];
  EXPECT_DOUBLE_EQ(time.start.value, hopper.launch.value);
  EXPECT_DOUBLE_EQ(time.hops.value, 14 * ll.hop.value);
  EXPECT_DOUBLE_EQ(time.bytes.value, 14 * 512 / ll.channel.value);
  EXPECT_DOUBLE_EQ(time.time.value, (time.start + time.hops + time.bytes).value);
}

// Up to 32 KiB one channel of LL has enough to do on 8 GPUs; then more take part, each with as many bytes.
TEST(GpuTimes, ChannelsTakePartOnceTheyHaveEnough) {
  const GpuWishes ll{GpuAlgorithm::ring, GpuProtocol::ll, {}};
  const auto at = time_of({}, GpuOperation::allreduce, 32 << 10, ll).bytes;
  EXPECT_LT(time_of({}, GpuOperation::allreduce, (32 << 10) - 1024, ll).bytes, at);
  EXPECT_DOUBLE_EQ(time_of({}, GpuOperation::allreduce, 64 << 10, ll).bytes.value, at.value);
  EXPECT_DOUBLE_EQ(time_of({}, GpuOperation::allreduce, 24 * (32 << 10), ll).bytes.value, at.value);
  EXPECT_DOUBLE_EQ(time_of({}, GpuOperation::allreduce, 48 * (32 << 10), ll).bytes.value, 2 * at.value);
}

TEST(GpuTimes, FewerChannelsTakeLonger) {
  const auto all = time_of({}, GpuOperation::allgather, 1 << 20, {GpuAlgorithm::ring, GpuProtocol::ll, {}});
  const auto four = time_of({}, GpuOperation::allgather, 1 << 20, {GpuAlgorithm::ring, GpuProtocol::ll, 4});
  EXPECT_DOUBLE_EQ(four.bytes.value, 6 * all.bytes.value);
}

// A long ring over nodes is limited by the eight adapters.
TEST(GpuTimes, LongRingFillsTheAdapters) {
  const GpuMachine machine{.nodes = 4, .adapter = "25 GB/s"};
  const auto time =
      time_of(machine, GpuOperation::allreduce, std::uint64_t{4} << 30, {GpuAlgorithm::ring, GpuProtocol::simple, {}});
  const double share = collectives_of(machine)->system().adapter->tree[2].share;
  const double least = 2.0 * 31 / 32 * (std::uint64_t{4} << 30) / (8 * 25e9 * share);
  EXPECT_GT(time.bytes.value, least);
  EXPECT_LT(time.bytes.value, 1.1 * least);
  EXPECT_NE(time.limit.find("(infiniband)"), std::string::npos) << time.limit;
}

TEST(GpuTimes, BytesFollowTheAdapterRate) {
  const GpuWishes ring{GpuAlgorithm::ring, GpuProtocol::simple, {}};
  const auto fast = time_of({.nodes = 2, .adapter = "40 GB/s"}, GpuOperation::allgather, 1 << 30, ring);
  const auto slow = time_of({.nodes = 2, .adapter = "30 GB/s"}, GpuOperation::allgather, 1 << 30, ring);
  EXPECT_NEAR(slow.bytes / fast.bytes, 4.0 / 3, 1e-9);
}

// Three hops for eight nodes of a GPU each, and 7/8 of the vector at three quarters of the adapter's share.
TEST(GpuTimes, PatByHand) {
  const GpuMachine machine{.nodes = 8, .gpus = 1, .nvlinks = ""};
  const auto time = time_of(machine, GpuOperation::allgather, 64 << 20, {GpuAlgorithm::pat, GpuProtocol::simple, {}});
  const auto adapter = *collectives_of(machine)->system().adapter;
  EXPECT_DOUBLE_EQ(time.hops.value, 3 * adapter.tree[2].hop.value);
  EXPECT_NEAR(time.bytes.value, 7.0 / 8 * (64 << 20) / (0.75 * adapter.tree[2].share * 50e9), 1e-9);
}

// Two nodes of two GPUs: a peer in the own node, and two in the other.
TEST(GpuTimes, AlltoallPaysForEachPeerElsewhere) {
  const GpuMachine machine{.nodes = 2, .gpus = 2};
  const auto& hopper = generation(machine);
  const auto adapter = *collectives_of(machine)->system().adapter;
  const auto time = time_of(machine, GpuOperation::alltoall, 64);
  EXPECT_DOUBLE_EQ(time.hops.value,
                   (hopper.hops[0].hop + 2 * hopper.pairs.peer + adapter.ring[0] + 2 * adapter.pairs.peer).value);
}

// A ring of four over two nodes: each adapter carries 3/2 of the vector in each direction, half of it for each rail.
TEST(GpuTimes, BytesOnLinksAreThoseOfTheRing) {
  const GpuMachine machine{.nodes = 2, .gpus = 2};
  const auto gpus = collectives_of(machine);
  constexpr double size = 1 << 20;
  const auto time = gpus->time(GpuOperation::allreduce, Bytes{1 << 20}, {GpuAlgorithm::ring, GpuProtocol::simple, {}});
  ASSERT_TRUE(time);
  const auto bytes = gpus->link_bytes({*time, *time});
  double adapters = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (gpus->system().topology->channel_text(i).find("(infiniband)") != std::string::npos)
      adapters += bytes[i];
  EXPECT_NEAR(adapters, 2 * (2 * 3.0 / 4 * size) * 2 * 2, 1); // two calls, each node, into the network and out of it
}

TEST(GpuTimes, OneRankOnlyLaunches) {
  const auto time = time_of({.gpus = 1}, GpuOperation::allreduce, 1 << 20);
  EXPECT_DOUBLE_EQ(time.time.value, generation({.gpus = 2}).launch.value);
}

TEST(GpuTimes, NodesMayNameTheirAdaptersOtherwise) {
  const auto other = time_of({.nodes = 2, .gpus = 2, .are_alike = false}, GpuOperation::allreduce, 64 << 20);
  const auto alike = time_of({.nodes = 2, .gpus = 2}, GpuOperation::allreduce, 64 << 20);
  EXPECT_DOUBLE_EQ(other.time.value, alike.time.value);
}

TEST(GpuTimes, InPlaceLeavesOutTheOwnCopy) {
  GpuWishes in_place{GpuAlgorithm::ring, GpuProtocol::simple, {}};
  const auto out = time_of({}, GpuOperation::allgather, 64 << 20, in_place);
  in_place.in_place = true;
  EXPECT_LT(time_of({}, GpuOperation::allgather, 64 << 20, in_place).time, out.time);
}

TEST(GpuSystem, RefusesRanksThatAreNoGpus) {
  const auto platform = platform_of({});
  const auto made =
      gpu_collectives(platform, std::make_shared<Topology>(*platform), {*find_device(*platform, "node0.cpu0")});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.errors().front().message,
            "rank 0 is on \"node0.cpu0\", a cpu, expected a GPU; NCCL joins GPUs only, and MPI's benchmarks, such as "
            "osu-allreduce, run anywhere");
}

} // namespace
} // namespace kakehashi
