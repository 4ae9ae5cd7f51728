#include "gpu_machine.hpp"

namespace kakehashi {
namespace {

using enum GpuOperation;

Result<Seconds> expected(const GpuMachine& machine, GpuOperation operation, std::uint64_t size, GpuAlgorithm algorithm,
                         GpuProtocol protocol) {
  const auto gpus = collectives_of(machine);
  return tuner_time(gpus->system(), gpus->graph(), operation, Bytes{size}, algorithm, protocol);
}

std::string refusal(const GpuMachine& machine, GpuOperation operation, GpuAlgorithm algorithm, GpuProtocol protocol) {
  const auto time = expected(machine, operation, 1 << 20, algorithm, protocol);
  return time ? "" : time.errors().front().message;
}

// NCCL 2.27 on 8 H100: 6.6 us and 14 steps of 0.6 us; LL's rate is at most 141 GB/s, 8/14 of it for an Allreduce.
TEST(GpuTuner, RingByHand) {
  const auto time = expected({}, allreduce, 1 << 20, GpuAlgorithm::ring, GpuProtocol::ll);
  ASSERT_TRUE(time);
  EXPECT_NEAR(in_microseconds(*time), 6.6 + 14 * 0.6 + 1048576 / (141e3 * 8 / 14), 1e-6);
}

// 2.8: hops of LL inside the nodes of a job count 1.8 times, and a ring of two nodes has two borders.
TEST(GpuTuner, OldReleaseByHand) {
  const auto time = expected({.nodes = 2, .gpus = 4, .model = "A100", .nvlinks = "300 GB/s", .release = "2.8.4"},
                             allreduce, 64, GpuAlgorithm::ring, GpuProtocol::ll);
  ASSERT_TRUE(time);
  EXPECT_NEAR(in_microseconds(*time), 3.6 + 12 * 1.8 * 0.47 + 2 * 2.7, 0.01);
}

TEST(GpuTuner, TreeSimpleIsFasterFrom223On) {
  const GpuMachine machine{.nodes = 2};
  auto before = machine, after = machine;
  before.release = "2.22";
  after.release = "2.23";
  const auto old = expected(before, allreduce, 64, GpuAlgorithm::tree, GpuProtocol::simple);
  const auto now = expected(after, allreduce, 64, GpuAlgorithm::tree, GpuProtocol::simple);
  ASSERT_TRUE(old && now);
  EXPECT_NEAR(in_microseconds(*old) - in_microseconds(*now), 2 * (7 * 24 + 14) - 8.4, 1e-6);
}

TEST(GpuTuner, RefusesWhatTheLibraryLacks) {
  EXPECT_EQ(refusal({}, allgather, GpuAlgorithm::tree, GpuProtocol::ll), "NCCL has no allgather by Tree");
  EXPECT_EQ(refusal({}, broadcast, GpuAlgorithm::tree, GpuProtocol::ll), "NCCL runs broadcast by Ring only");
  EXPECT_EQ(refusal({.release = "2.12"}, allreduce, GpuAlgorithm::nvls, GpuProtocol::simple),
            "NCCL 2.12 has no NVLS; it came with NCCL 2.17");
  EXPECT_EQ(refusal({.model = "A100", .nvlinks = "300 GB/s"}, allreduce, GpuAlgorithm::nvls, GpuProtocol::simple),
            "NVLS needs NVSwitches of Hopper or later");
  EXPECT_EQ(refusal({}, allreduce, GpuAlgorithm::nvls, GpuProtocol::ll), "NVLS runs by Simple only");
  EXPECT_EQ(refusal({}, allreduce, GpuAlgorithm::nvls_tree, GpuProtocol::simple), "NVLSTree is for several nodes");
  EXPECT_EQ(refusal({.model = "L40S", .nvlinks = ""}, allreduce, GpuAlgorithm::ring, GpuProtocol::ll128),
            "NCCL uses LL128 over NVLinks only");
  EXPECT_EQ(refusal({.nodes = 2, .release = "2.22"}, allgather, GpuAlgorithm::pat, GpuProtocol::simple),
            "NCCL 2.22 has no PAT; it came with 2.23");
}

TEST(GpuTuner, NvlsIsTakenOnEightGpusNotOnFour) {
  const auto chosen = [](int gpus) {
    const auto made = collectives_of({.gpus = gpus});
    return choose(made->system(), made->graph(), allreduce, Bytes{256 << 20}, {})->algorithm;
  };
  EXPECT_EQ(chosen(8), GpuAlgorithm::nvls);
  EXPECT_EQ(chosen(4), GpuAlgorithm::ring);
}

TEST(GpuRelease, IsReadWithoutItsPatch) {
  EXPECT_EQ(parse_gpu_release("2.27.3"), GpuRelease{2027});
  EXPECT_EQ(to_text(GpuRelease{2027}), "2.27");
  for (const auto* wrong : {"", "2", "2.", ".27", "2.27.", "2.27.3.1", "two.27", "2.-1"})
    EXPECT_FALSE(parse_gpu_release(wrong)) << wrong;
}

} // namespace
} // namespace kakehashi
