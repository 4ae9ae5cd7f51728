#include "input/platform/small_platform.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

const std::string cpu = node + "/devices/0";
const std::string two = R"([{"name": "mcdram", "size": "16 GiB", "bandwidth": "400 GB/s"},
                            {"name": "ddr", "size": "96 GiB", "channels": 6, "transfers": "2.5 GT/s"}])"; // 102 GB/s

// GB/s of both memories together.
double rate_with(const std::string& policy, const std::string& in_use) {
  auto root = patched(small, cpu + "/memories", two);
  root = patched(root, cpu + "/memory_policy", '"' + policy + '"');
  if (!in_use.empty())
    root = patched(root, cpu + "/memory_in_use", '"' + in_use + '"');
  const auto platform = read(root);
  EXPECT_TRUE(platform) << errors_of(platform);
  return bandwidth_of(*platform->devices.front().memory).value / 1e9;
}

TEST(Memories, MoveTheirSharesOfAllBytesAtOnce) {
  EXPECT_DOUBLE_EQ(rate_with("fill", ""), 400);
  EXPECT_DOUBLE_EQ(rate_with("fill", "16 GiB"), 400);
  EXPECT_DOUBLE_EQ(rate_with("fill", "32 GiB"), 204);                 // half of the bytes from DDR
  EXPECT_DOUBLE_EQ(rate_with("fill", "64 GiB"), 102 * 4.0 / 3);       // three quarters
  EXPECT_DOUBLE_EQ(rate_with("interleave", ""), 204);                 // by turns
  EXPECT_DOUBLE_EQ(rate_with("interleave", "64 GiB"), 102 * 4.0 / 3); // the first one is full
  EXPECT_DOUBLE_EQ(rate_with("cache", "8 GiB"), 400);
  EXPECT_DOUBLE_EQ(rate_with("cache", "64 GiB"), 102 * 4.0 / 3); // a quarter of the bytes are in the first one
  EXPECT_DOUBLE_EQ(rate_with("cache", "20 GiB"), 400);           // 102 GB/s for a fifth is more
}

TEST(Memories, AreRefusedWithoutBandwidthOrRoom) {
  const auto refuse = [](const std::string& place, const std::string& value, const std::string& errors) {
    EXPECT_EQ(errors_of(read(patched(patched(small, cpu + "/memories", two), cpu + place, value))), errors) << place;
  };
  refuse("/memory", R"({"bandwidth": "50 GB/s"})",
         "p.json: " + cpu + "/memory: a device with \"memories\" has its bandwidths there, and only caches here");
  refuse("/memories/0/bandwidth", "",
         "p.json: " + cpu + "/memories/0: there is no \"bandwidth\"; expected that, or \"channels\" and \"transfers\"");
  refuse("/memories/1/name", R"("mcdram")",
         "p.json: " + cpu + "/memories/1/name: got \"mcdram\" twice, expected each only once");
  refuse("/memory_in_use", R"("200 GiB")",
         "p.json: " + cpu + "/memory_in_use: got 200 GiB, expected no more than the room of all memories, 112 GiB");
  EXPECT_EQ(errors_of(read(patched(small, cpu + "/memory_policy", R"("fill")"))),
            "p.json: " + cpu + "/memory_policy: the key goes with \"memories\"");
}

} // namespace
} // namespace kakehashi
