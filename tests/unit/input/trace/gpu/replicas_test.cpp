#include "input/trace/gpu/gpu_readers.hpp"
#include "input/trace/gpu/group_calls.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Two tensor parallel GPUs, twice; each rank adds up a product, and shares its gradients out among replicas.
DeviceTrace four_ranks() {
  DeviceTrace trace;
  trace.schedule.file = "traces";
  trace.schedule.communicators = {
      {"0", {0, 1, 2, 3}}, {"tensor", {0, 1}}, {"tensor", {2, 3}}, {"data", {0, 2}}, {"data", {1, 3}}};
  for (std::size_t rank = 0; rank < 4; ++rank) {
    RankSchedule made;
    made.collectives = {call_in_group(Collective::allreduce, 100, 1 + rank / 2, 2),
                        call_in_group(Collective::reduce_scatter, 20, 3 + rank % 2, 2),
                        call_in_group(Collective::allgather, 10, 3 + rank % 2, 2)};
    trace.schedule.ranks.push_back(made);
  }
  return trace;
}

TEST(Replicas, CallEachOtherWhereGradientsAre) {
  auto trace = four_ranks();
  ASSERT_TRUE(grow_replicas(trace, 2, true).empty());
  const auto& schedule = trace.schedule;
  ASSERT_EQ(schedule.ranks.size(), 8u);
  const auto members = [&](std::size_t rank, std::size_t call) {
    return schedule.communicators[schedule.ranks[rank].collectives[call].communicator].members;
  };
  EXPECT_EQ(members(1, 0), (std::vector{0, 1}));
  EXPECT_EQ(members(6, 0), (std::vector{6, 7}));
  EXPECT_EQ(members(5, 1), (std::vector{1, 3, 5, 7}));
  EXPECT_EQ(schedule.ranks[5].collectives[0].size.count, 100u);
  EXPECT_EQ(schedule.ranks[5].collectives[1].sizes, (std::vector<std::uint64_t>{5, 5, 5, 5}));
  EXPECT_EQ(schedule.ranks[5].collectives[2].size.count, 5u);
  EXPECT_EQ(trace.warnings.back(), "traces: 4 recorded ranks as each of 2 replicas, which call each other in process "
                                   "group data; what is shared out there is divided among all");
}

TEST(Replicas, NeedCallsOfReplicas) {
  auto trace = four_ranks();
  for (auto& rank : trace.schedule.ranks)
    rank.collectives.resize(1);
  EXPECT_EQ(grow_replicas(trace, 2, true).front().message,
            "no calls that replicas would make with each other: of all ranks, or of every n-th");
}

TEST(Kernels, HaveKindsByTheirNames) {
  const std::vector<std::pair<const char*, KernelName>> names{
      {"nccldevkernel_allreduce_sum_bf16_ring_ll", KernelName::call},
      {"ampere_bf16_s16816gemm_bf16_128x256_nn", KernelName::gemm},
      {"nvjet_tst_192x192_64x4_2x1_v_bz_tnt", KernelName::gemm},
      {"cijk_ailk_bljk_bbs_bh_mt256x256x64", KernelName::gemm},
      {"void pytorch_flash::flash_fwd_kernel<cutlass::bfloat16_t>", KernelName::attention},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma", KernelName::attention},
      {"multi_tensor_apply_kernel<fusedadam>", KernelName::optimizer},
      {"vectorized_elementwise_kernel<4, gelu>", KernelName::other}};
  for (const auto& [name, kind] : names)
    EXPECT_EQ(kernel_name(name), kind) << name;
}

} // namespace
} // namespace kakehashi
