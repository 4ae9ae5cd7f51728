#include "gpu_machine.hpp"

namespace kakehashi {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
const GpuMachine four_nodes{.nodes = 4, .adds = true};
const GpuWishes enabled{.has_collnet = true};

GpuWishes only(GpuAlgorithm algorithm, GpuWishes wishes = enabled) {
  wishes.algorithm = algorithm;
  wishes.protocol = GpuProtocol::simple;
  return wishes;
}

std::string refusal(const GpuMachine& machine, GpuAlgorithm algorithm, const GpuWishes& wishes = enabled,
                    GpuOperation operation = GpuOperation::allreduce) {
  const auto time = collectives_of(machine)->time(operation, Bytes{gibibyte}, only(algorithm, wishes));
  return time ? "" : time.errors().front().message;
}

// What the channel from one device to another carries.
double bytes_on(const GpuCollectives& gpus, const GpuTime& call, const std::string& link) {
  const auto bytes = gpus.link_bytes({call});
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (gpus.system().topology->channel_text(i) == link)
      return bytes[i];
  ADD_FAILURE() << link;
  return 0;
}

TEST(CollNet, RefusesAsTheLibraryDoes) {
  using enum GpuAlgorithm;
  EXPECT_EQ(refusal({.nodes = 4}, collnet_chain),
            "CollNetChain needs switches that add (SHARP); \"sharp\" of the platform's network states that they do");
  EXPECT_EQ(refusal(four_nodes, collnet_direct, {}), "CollNetDirect needs NCCL_COLLNET_ENABLE=1");
  EXPECT_EQ(refusal(four_nodes, nvls, {}), "NVLS over several nodes needs NCCL_COLLNET_ENABLE=1");
  EXPECT_EQ(refusal({.adds = true}, collnet_chain), "CollNetChain is for several nodes");
  EXPECT_EQ(refusal(four_nodes, nvls, {.has_collnet = true, .collnet_nodes = 5}),
            "NVLS over several nodes is for 5 nodes or more (NCCL_COLLNET_NODE_THRESHOLD)");
  EXPECT_EQ(refusal({.nodes = 2, .gpus = 9, .adds = true}, collnet_chain), "CollNetChain is for at most 8 GPUs a node");
  EXPECT_EQ(refusal({.nodes = 2, .gpus = 4, .nvlinks = "150 GB/s", .has_switch = false, .adds = true}, collnet_direct),
            "CollNetDirect needs NVSwitches");
  EXPECT_EQ(refusal({.nodes = 4, .release = "2.12", .adds = true}, collnet_direct),
            "NCCL 2.12 has no CollNetDirect; it came with NCCL 2.14");
  EXPECT_EQ(refusal(four_nodes, collnet_chain, enabled, GpuOperation::allgather),
            "NCCL 2.27 has no allgather by CollNetChain");
  EXPECT_EQ(refusal(four_nodes, collnet_direct, enabled, GpuOperation::reducescatter), "");
}

// 8 H100 with 360 GB/s of NVLinks by its count, half of it for chains up and down, 14 hops of 2.8 us, 30 us beyond.
TEST(CollNet, ChainByHandAsTheLibraryExpectsIt) {
  const auto gpus = collectives_of(four_nodes);
  const auto time = tuner_time(gpus->system(), gpus->graph(), GpuOperation::allreduce, Bytes{gibibyte},
                               GpuAlgorithm::collnet_chain, GpuProtocol::simple, enabled);
  ASSERT_TRUE(time);
  EXPECT_NEAR(in_microseconds(*time), 14 * 2.8 + 30 + gibibyte / 180e3, 0.01);
}

// Each of eight adapters sends its part up once and gets the sum once, however many nodes there are; a tree over four
// nodes does either twice.
TEST(CollNet, AdaptersCarryTheirPartOnce) {
  const auto gpus = collectives_of(four_nodes);
  for (const auto algorithm : {GpuAlgorithm::collnet_chain, GpuAlgorithm::collnet_direct, GpuAlgorithm::nvls}) {
    const auto call = gpus->time(GpuOperation::allreduce, Bytes{gibibyte}, only(algorithm));
    ASSERT_TRUE(call) << to_text(call.errors().front());
    for (const auto* link : {"node2.nic3 -> rail3 (infiniband)", "rail3 -> node2.nic3 (infiniband)"})
      EXPECT_NEAR(bytes_on(*gpus, *call, link), gibibyte / 8, 1) << link;
  }
  const auto gather = gpus->time(GpuOperation::allgather, Bytes{gibibyte}, only(GpuAlgorithm::collnet_direct));
  ASSERT_TRUE(gather);
  EXPECT_NEAR(bytes_on(*gpus, *gather, "node2.nic3 -> rail3 (infiniband)"), gibibyte / 32, 1);
  EXPECT_NEAR(bytes_on(*gpus, *gather, "rail3 -> node2.nic3 (infiniband)"), gibibyte / 8, 1);
}

// Inside a node each GPU gets 7/8 of the vector for its part, and hands out its sums to seven.
TEST(CollNet, DirectIsASumAndAGatherOverTheSwitch) {
  const auto gpus = collectives_of(four_nodes);
  const auto call = gpus->time(GpuOperation::allreduce, Bytes{gibibyte}, only(GpuAlgorithm::collnet_direct));
  ASSERT_TRUE(call);
  EXPECT_NEAR(bytes_on(*gpus, *call, "node1.gpu5 -> node1.nvswitch (nvlink)"), 2 * gibibyte * 7 / 8, 1);
}

TEST(CollNet, IsTakenForLongCallsOnceEnabled) {
  const auto gpus = collectives_of({.nodes = 16, .adds = true});
  const auto without = gpus->time(GpuOperation::allreduce, Bytes{gibibyte}, {});
  const auto with = gpus->time(GpuOperation::allreduce, Bytes{gibibyte}, enabled);
  ASSERT_TRUE(without && with);
  EXPECT_EQ(without->algorithm, GpuAlgorithm::nvls_tree);
  EXPECT_EQ(with->algorithm, GpuAlgorithm::nvls);
  EXPECT_LT(with->time.value, 0.8 * without->time.value);
}

// Eight rings of 48 GB/s pass the NVLinks of a GPU seven times if they leave by another adapter, and else eight times,
// which is more than its 371 GB/s.
TEST(CrossNic, ChangesTheAdapterWhereThatIsFaster) {
  const GpuMachine machine{.nodes = 2};
  const auto usual = collectives_of(machine);
  EXPECT_EQ(ring_text(usual->system(), usual->graph(), 0),
            "node0.gpu0 -> gpu1 -> gpu2 -> gpu3 -> gpu4 -> gpu5 -> gpu6 -> gpu7, out by nic7, and so on through 2 "
            "nodes, every second one back to nic0");
  EXPECT_NEAR(usual->graph().between, 8 * 48, 1e-9);
  const auto never = collectives_of(machine, {.cross_nic = CrossNic::never});
  EXPECT_EQ(ring_text(never->system(), never->graph(), 0),
            "node0.gpu0 -> gpu1 -> gpu2 -> gpu3 -> gpu4 -> gpu5 -> gpu6 -> gpu7 -> gpu0, out by nic0, and so on "
            "through 2 nodes");
  EXPECT_NEAR(never->graph().between, 8 * 45, 1e-9);
  EXPECT_FALSE(collectives_of({.nodes = 2, .adapter = "25 GB/s"})->graph().crosses);
  const auto time_of = [](const GpuCollectives& gpus) {
    return gpus.time(GpuOperation::allreduce, Bytes{gibibyte}, only(GpuAlgorithm::ring, {}))->time.value;
  };
  EXPECT_LT(time_of(*usual), 0.98 * time_of(*never));
}

// Before 2.20, and with NCCL_CROSS_NIC=1, rings come in by one rail and go out by another, which a network must join.
TEST(CrossNic, NeedsANetworkThatJoinsTheRails) {
  const auto always = collectives_of({.nodes = 2}, {.cross_nic = CrossNic::always});
  const auto call = always->time(GpuOperation::allreduce, Bytes{gibibyte}, only(GpuAlgorithm::ring, {}));
  ASSERT_FALSE(call);
  EXPECT_EQ(call.errors().front().message, "rings that leave a node by nic7 and enter the next by nic0 "
                                           "(NCCL_CROSS_NIC) need a network that joins these");
}

} // namespace
} // namespace kakehashi
