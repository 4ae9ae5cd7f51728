#include "gpu_machine.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

std::shared_ptr<const GpuCollectives> with_handicaps(const GpuMachine& machine, const GpuHandicaps& handicaps) {
  const auto platform = platform_of(machine);
  const auto made = gpu_collectives(platform, std::make_shared<Topology>(*platform), gpus_of(*platform), {}, handicaps);
  EXPECT_TRUE(made) << to_text(made.errors().front());
  return *made;
}

GpuTime long_call(const GpuCollectives& gpus) {
  const auto time = gpus.time(GpuOperation::allreduce, Bytes{1 << 30}, {GpuAlgorithm::ring, GpuProtocol::simple, {}});
  EXPECT_TRUE(time);
  return *time;
}

// The library takes the candidate that its own model likes best.
TEST(GpuCandidates, HaveTheLibrarysChoiceAsTheirBest) {
  const auto gpus = collectives_of({.nodes = 2});
  for (const std::uint64_t size : {1u << 10, 1u << 20, 1u << 28}) {
    const auto taken = gpus->time(GpuOperation::allreduce, Bytes{size}, {});
    ASSERT_TRUE(taken);
    const auto candidates = gpus->candidates(GpuOperation::allreduce, Bytes{size}, {});
    EXPECT_EQ(candidates.size(), gpu_algorithm_count * gpu_protocol_count);
    for (const auto& each : candidates) {
      EXPECT_EQ(each.time.has_value(), each.refusal.empty());
      if (each.tuner)
        EXPECT_GE(each.tuner->value, taken->tuner->value);
      if (each.algorithm == taken->algorithm && each.protocol == taken->protocol)
        EXPECT_EQ(each.time->value, taken->time.value);
    }
  }
  const auto first = gpus->candidates(GpuOperation::allgather, Bytes{1 << 20}, {}).front();
  EXPECT_EQ(first.refusal, "NCCL has no allgather by Tree");
  EXPECT_TRUE(gpus->candidates(GpuOperation::alltoall, Bytes{1 << 20}, {}).empty());
}

TEST(GpuHandicaps, LeaveOutAProtocol) {
  const auto gpus = with_handicaps({}, {.lacks = {true, true, false}});
  const auto time = gpus->time(GpuOperation::allreduce, Bytes{1024}, {});
  ASSERT_TRUE(time);
  EXPECT_EQ(time->protocol, GpuProtocol::simple);
  const auto none = with_handicaps({}, {.lacks = {true, true, true}})->time(GpuOperation::allreduce, Bytes{1024}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.errors().front().message, "no algorithm and protocol is left that may be taken");
}

// All GPUs of a node then share what leads to the processor.
TEST(GpuHandicaps, WithoutPeersBytesPassTheHost) {
  const auto healthy = long_call(*collectives_of(GpuMachine{})),
             ill = long_call(*with_handicaps({}, {.has_peers = false}));
  EXPECT_GT(ill.time.value, 4 * healthy.time.value);
  EXPECT_NE(ill.limit.find("(pcie)"), std::string::npos) << ill.limit;
}

TEST(GpuHandicaps, WithoutGpudirectBytesCrossPcieTwice) {
  const GpuMachine machine{.nodes = 2, .adapter = "100 GB/s"};
  const auto healthy = long_call(*collectives_of(machine));
  const auto ill = long_call(*with_handicaps(machine, {.has_gpudirect = false}));
  EXPECT_GT(ill.time.value, healthy.time.value);
  EXPECT_NE(ill.limit.find("(pcie)"), std::string::npos) << ill.limit;
}

TEST(GpuChannels, ShowTheirWay) {
  const auto one = collectives_of({.gpus = 4});
  EXPECT_EQ(ring_text(one->system(), one->graph(), 0), "node0.gpu0 -> gpu1 -> gpu2 -> gpu3 -> gpu0");
  const auto two = collectives_of({.nodes = 2, .gpus = 4});
  EXPECT_EQ(ring_text(two->system(), two->graph(), 1),
            "node0.gpu1 -> gpu2 -> gpu3 -> gpu0 -> gpu1, out by nic1, and so on through 2 nodes");
  const auto many = collectives_of({.gpus = 12});
  EXPECT_EQ(ring_text(many->system(), many->graph(), 0), "node0.gpu0 -> gpu1 -> gpu2 -> gpu3 -> ... -> gpu11 -> gpu0");
}

} // namespace
} // namespace kakehashi
