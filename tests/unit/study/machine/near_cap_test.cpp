#include "study/machine/machine_views.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

// a.cpu –ethernet– b.cpu, of 4 GB/s
Platform joined(BytesPerSecond cap) {
  Platform platform;
  platform.nodes = {"a", "b"};
  platform.devices = {{"a.cpu", DeviceKind::cpu, 0, {}}, {"b.cpu", DeviceKind::cpu, 1, {}}};
  Link link;
  link.from = 0;
  link.to = 1;
  link.type = link_type("ethernet");
  link.bandwidth = gigabytes_per_second(4);
  platform.links = {link};
  Fabric fabric;
  fabric.name = "net";
  fabric.links = {link.type};
  fabric.rules.emplace_back().regimes.emplace_back().cap = cap;
  platform.fabrics = {fabric};
  return platform;
}

TEST(NearCaps, AreThoseLittleBelowALinksRate) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(near_caps(joined(gigabytes_per_second(3.8))),
            Texts{"/fabrics/net/rules/0/regimes/0/cap: 3800 MB/s is 5.0 % below the 4000 MB/s of a.cpu -> b.cpu "
                  "(ethernet), so a faster link would gain little; if the link sets this limit, state it there"});
  EXPECT_EQ(near_caps(joined(gigabytes_per_second(3.5))), Texts{}); // a faster link changes nothing, and nor does this
  EXPECT_EQ(near_caps(joined(gigabytes_per_second(4.1))), Texts{}); // the link limits
}

} // namespace
} // namespace kakehashi
