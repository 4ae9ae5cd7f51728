#include "study/gpu/change.hpp"

#include "gpu_machine.hpp"

#include <algorithm>

namespace kakehashi {
namespace {

GpuSetup setup_for(const GpuMachine& machine, std::vector<Bytes> sizes = {Bytes{std::uint64_t{1} << 30}}) {
  const auto platform = platform_of(machine);
  return {platform, gpus_of(*platform), GpuOperation::allreduce, std::move(sizes), {}};
}

const GpuChange* find_change(const std::vector<GpuChange>& changes, std::string_view what) {
  const auto found = std::ranges::find_if(changes, [&](const auto& each) { return each.what.starts_with(what); });
  return found == changes.end() ? nullptr : &*found;
}

Seconds last_time(const GpuSetup& setup) {
  const auto times = times_of(setup);
  EXPECT_TRUE(times) << to_text(times.errors().front());
  return times->back().time;
}

std::vector<GpuChange> what_ifs_of(const GpuSetup& setup) {
  const auto gpus = collectives_of(setup);
  EXPECT_TRUE(gpus);
  return gpu_what_ifs(setup, **gpus, {times_of(setup)->back().limit});
}

// The adapters limit a long call, so twice their rate takes about half of its bytes' time, and half of them twice.
TEST(GpuChange, MovesTheLimit) {
  const auto setup = setup_for({.nodes = 4, .adapter = "25 GB/s"});
  const auto changes = what_ifs_of(setup);
  const auto now = last_time(setup);
  const auto* faster = find_change(changes, "twice the rate of ");
  ASSERT_NE(faster, nullptr);
  EXPECT_LT(last_time(faster->of(setup)).value, 0.6 * now.value);
  const auto* fewer = find_change(changes, "4 of 8 adapters a node");
  ASSERT_NE(fewer, nullptr);
  EXPECT_GT(last_time(fewer->of(setup)).value, 1.8 * now.value);
  EXPECT_EQ(find_change(changes, "one more adapter a node"), nullptr); // each GPU has its own
}

// A node with fewer adapters than GPUs may have another one.
TEST(GpuChange, AddsAnAdapter) {
  auto setup = setup_for({.nodes = 2, .gpus = 4, .adapter = "25 GB/s"});
  const auto changes = what_ifs_of(setup);
  const auto* fewer = find_change(changes, "2 of 4 adapters a node");
  ASSERT_NE(fewer, nullptr);
  const auto half = fewer->of(setup);
  const auto more_of_half = what_ifs_of(half);
  const auto* more = find_change(more_of_half, "one more adapter a node");
  ASSERT_NE(more, nullptr);
  EXPECT_LT(last_time(more->of(half)), last_time(half));
}

TEST(GpuChange, KnowsTheNewestReleaseAndTheOneBefore) {
  const auto changes = what_ifs_of(setup_for({.release = "2.22"}));
  EXPECT_NE(find_change(changes, "NCCL 2.20 instead of 2.22"), nullptr);
  EXPECT_NE(find_change(changes, "NCCL 2.29 instead of 2.22"), nullptr);
  EXPECT_EQ(find_change(what_ifs_of(setup_for({.release = "2.30"})), "NCCL 2.30"), nullptr);
}

TEST(GpuChange, HasEachFaultOnce) {
  const auto setup = setup_for({.nodes = 2});
  const auto gpus = collectives_of(setup);
  ASSERT_TRUE(gpus);
  std::vector<std::string> seen;
  for (const auto& fault : gpu_faults(setup, **gpus)) {
    EXPECT_EQ(std::ranges::count(seen, fault.what), 0) << fault.what;
    EXPECT_FALSE(fault.check.empty()) << fault.what;
    seen.push_back(fault.what);
  }
  for (const auto* what : {"4 of 8 adapters a node are used", "1 of 8 adapters a node are used", "LL128 is off",
                           "GPUs of a node reach each other through the host's memory",
                           "adapters reach GPUs through the host's memory", "Ring alone is taken"})
    EXPECT_EQ(std::ranges::count(seen, what), 1) << what;
}

TEST(GpuChange, OfOneGpuThereIsNone) {
  const auto setup = setup_for({.gpus = 1});
  const auto gpus = collectives_of(setup);
  ASSERT_TRUE(gpus);
  EXPECT_TRUE(gpu_what_ifs(setup, **gpus, {}).empty());
  EXPECT_TRUE(gpu_faults(setup, **gpus).empty());
}

} // namespace
} // namespace kakehashi
