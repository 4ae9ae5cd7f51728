#include "study/fit/fits.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// Two nodes whose adapters are joined, and a path on a fabric between their sockets.
std::shared_ptr<const Platform> two_nodes() {
  Platform platform;
  platform.name = "two";
  platform.nodes = {"a", "b"};
  platform.devices = {{"a.cpu", DeviceKind::cpu, 0, std::nullopt},
                      {"a.hca", DeviceKind::hca, 0, std::nullopt},
                      {"b.cpu", DeviceKind::cpu, 1, std::nullopt},
                      {"b.hca", DeviceKind::hca, 1, std::nullopt}};
  using Ends = std::pair<std::size_t, std::size_t>;
  for (const auto& [from, to] : {Ends{0, 1}, Ends{1, 3}, Ends{3, 2}}) {
    auto& link = platform.links.emplace_back();
    link.from = from;
    link.to = to;
    link.type = link_type("infiniband");
    link.bandwidth = gigabytes_per_second(10);
  }
  Fabric fabric;
  fabric.name = "ib";
  fabric.links = {link_type("infiniband")};
  fabric.rules.emplace_back().regimes = {Regime{}};
  platform.fabrics = {fabric};
  return std::make_shared<const Platform>(platform);
}

PairsTest test_of(std::uint64_t pairs, double small_rate, double large_rate) {
  return {"log" + std::to_string(pairs),
          pairs,
          false,
          {{Bytes{1}, small_rate, small_rate * 1e6}, {Bytes{1 << 20}, large_rate, large_rate}},
          two_nodes(),
          "ib",
          {0, 2}};
}

std::string text_of(const SharedLimit& limit) {
  std::string text = limit.field + " " + limit.value + (limit.is_limit ? "" : " at least") + ": " + limit.evidence;
  for (const auto& device : limit.devices)
    text += " " + device;
  return text;
}

std::vector<std::string> texts_of(std::vector<PairsTest> tests) {
  std::vector<std::string> texts;
  for (const auto& limit : shared_limits(tests, {}))
    texts.push_back(text_of(limit));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(SharedLimits, AreWhatMorePairsDoNotReach) {
  EXPECT_EQ(texts_of({test_of(1, 3, 9000), test_of(8, 12, 9500)}),
            Texts{"message_rate 12 M messages/s: 8 pairs reach 4.0 times what one reached a.hca b.hca"});
  EXPECT_EQ(texts_of({test_of(2, 6, 9000), test_of(8, 23, 9500)}),
            Texts{"message_rate 23 M messages/s at least: 8 pairs reach 3.8 times what 2 reached a.hca b.hca"});
  EXPECT_EQ(
      texts_of({test_of(8, 12, 9500)}),
      Texts{
          "message_rate 12 M messages/s at least: no log of fewer pairs shows whether they share a limit a.hca b.hca"});
  EXPECT_EQ(texts_of({test_of(1, 3, 9000)}), Texts{});
}

TEST(SharedLimits, AreWhatBothDirectionsDoNotReach) {
  auto both = test_of(1, 3, 15000);
  both.both_ways = true;
  EXPECT_EQ(texts_of({both, test_of(1, 3, 10000)}),
            Texts{"duplex_bandwidth 15 GB/s: both directions reach 1.50 times one a.hca b.hca"});
  EXPECT_EQ(texts_of({both, test_of(1, 3, 7600)}),
            Texts{"duplex_bandwidth 15 GB/s at least: both directions reach 1.97 times one a.hca b.hca"});
  EXPECT_EQ(texts_of({both}),
            Texts{"duplex_bandwidth 15 GB/s at least: no log of one direction to compare with a.hca b.hca"});
}

TEST(SharedLimits, InsideADeviceAreThoseOfItsMemory) {
  auto one = test_of(1, 3, 9000), all = test_of(8, 30, 36000);
  one.ranks = all.ranks = {0, 0};
  EXPECT_EQ(texts_of({one, all}), Texts{"memory/bandwidth 108 GB/s: 8 pairs reach 4.0 times what one reached a.cpu"});
}

} // namespace
} // namespace kakehashi
