#include "input/platform/small_platform.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Platform, IsRefusedForItsFabrics) {
  expect_errors(
      {{"/fabrics/f f", small.at("/fabrics/f"_json_pointer).dump(),
        "p.json: /fabrics/f f: got \"f f\", expected a name of letters, digits, '-' and '_'"},
       {"/fabrics/f/gateways/0", "\"hcb\"",
        "p.json: /fabrics/f/gateways/0: got \"hcb\", which no node has, expected the name of a device in a node "
        "(did you mean \"hca\"?)"},
       {"/fabrics/f/stripes_from", "\"16 KiB\"",
        "p.json: /fabrics/f/stripes_from: got 1 gateway, expected two or more"},
       {"/fabrics/f/fetch", "{}", "p.json: /fabrics/f/fetch: the key \"from\" is missing"},
       {"/fabrics/f/route_size", "\"0 B\"", "p.json: /fabrics/f/route_size: got \"0 B\", expected at least 1 B"},
       {"/fabrics/f/links/-", "\"qpi\"",
        "p.json: /fabrics/f/links/2: got \"qpi\", expected the type of a link that the platform has"},
       {"/fabrics/f/links/-", "\"pcie\"", "p.json: /fabrics/f/links/2: got \"pcie\" twice, expected each only once"},
       {"/fabrics/f/rules/0/source", R"({"kind": "spec", "from": "x", "claims": ["c", "c"]})",
        "p.json: /fabrics/f/rules/0/source/claims/1: got \"c\" twice, expected each only once"},
       {eager + "/from", "\"1 B\"",
        "p.json: /fabrics/f/rules/0/regimes/0/from: got \"1 B\", which leaves a hole from 0 B on, expected \"0 "
        "B\""},
       {rendezvous + "/from", "\"2 KiB\"",
        "p.json: /fabrics/f/rules/0/regimes/1/from: got \"2 KiB\", which leaves a hole after the regime before, "
        "expected \"1 KiB\""},
       {rendezvous + "/from", "\"512 B\"",
        "p.json: /fabrics/f/rules/0/regimes/1/from: got \"512 B\", which overlaps the regime before, expected "
        "\"1 KiB\""},
       {eager + "/to", "",
        "p.json: /fabrics/f/rules/0/regimes/1/from: got \"1 KiB\", which overlaps the regime before, expected a "
        "\"to\" in the regime before"},
       {rendezvous + "/to", "\"1 MiB\"",
        "p.json: /fabrics/f/rules/0/regimes/1/to: got \"1 MiB\", which leaves a hole above it, expected no "
        "\"to\" in the last regime"},
       {eager + "/to", "\"0 B\"",
        "p.json: /fabrics/f/rules/0/regimes/0/to: got \"0 B\", expected a size above \"from\", which is 0 B"},
       {rule + "/crosses", "\"qpi\"",
        "p.json: /fabrics/f/rules/0/crosses: got \"qpi\", expected one of the fabric's link types"},
       {"/fabrics/f/rules/-", R"({"regimes": [{"from": "0 B"}]})",
        "p.json: /fabrics/f/rules/1: this rule can never apply, because /fabrics/f/rules/0 matches all that it "
        "matches"},
       {rule, R"({"scope": "inside-device", "crosses": "pcie", "regimes": [{"from": "0 B"}]})",
        "p.json: /fabrics/f/rules/0/crosses: this rule can never apply, because no path inside a device crosses "
        "a link"},
       {rule, R"({"scope": "inside-device", "between": ["cpu", "gpu"], "regimes": [{"from": "0 B"}]})",
        "p.json: /fabrics/f/rules/0/between: this rule can never apply, because a path inside a device has one "
        "kind of endpoint"},
       {eager + "/o_send", R"({"gpu": "1 us"})",
        "p.json: /fabrics/f/rules/0/regimes/0/o_send: the key \"cpu\" is missing, and so is \"any\"; the "
        "platform has such endpoints"},
       {"/fabrics/f/adjustments", R"([{"crosses": "pcie", "protocol": "eager"}])",
        "p.json: /fabrics/f/adjustments/0: this adjustment adds nothing; expected \"latency\", \"overhead\", "
        "\"copy_factor\" or \"gap\""},
       {"/fabrics/f/adjustments", R"([{"crosses": "qpi", "gap": "1 us"}])",
        "p.json: /fabrics/f/adjustments/0/crosses: got \"qpi\", expected one of the fabric's link types"}});
}

TEST(Platform, IsRefusedWithANodeWithoutGateway) {
  auto root = patched(small, "/templates/u", R"({"devices": [{"name": "cpu", "kind": "cpu"}]})");
  root["nodes"]["n3"] = "u";
  root["links"].push_back({{"between", {"n3.cpu", "n1.hca"}}, {"type", "pcie"}, {"bandwidth", "1 GB/s"}});
  EXPECT_EQ(errors_of(read(root)), "p.json: /fabrics/f/gateways: got a node without any of them: \"n3\", expected at "
                                   "least one of them in every node");
}

TEST(Platform, LoopsBackThroughGatewaysOnly) {
  const auto looped = patched(small, "/fabrics/f/loop_back", "true");
  EXPECT_EQ(errors_of(read(looped)), "no errors");
  EXPECT_EQ(errors_of(read(patched(looped, "/fabrics/f/gateways", "[]"))),
            "p.json: /fabrics/f/loop_back: got no gateways, expected at least one, through which messages come back");
  EXPECT_EQ(
      errors_of(read(patched(looped, rule + "/moved_by_cores", "true"))),
      "p.json: /fabrics/f/loop_back: got a rule with moved_by_cores, expected rules whose messages pass a gateway");
}

TEST(Platform, TakesWhatCoresMoveFromTheFabricOrTheRule) {
  const auto first_rule = [](const std::string& of_fabric, const std::string& of_rule) {
    auto root = patched(small, "/fabrics/f/moved_by_cores", of_fabric);
    if (!of_rule.empty())
      root = patched(root, rule + "/moved_by_cores", of_rule);
    return read(root)->fabrics[0].rules[0].moved_by_cores;
  };
  EXPECT_FALSE(read(small)->fabrics[0].rules[0].moved_by_cores);
  EXPECT_TRUE(first_rule("true", ""));
  EXPECT_FALSE(first_rule("true", "false"));
  EXPECT_TRUE(first_rule("false", "true"));
}

TEST(Platform, TakesCopiesByCoresOnly) {
  const auto moved = patched(small, "/fabrics/f/moved_by_cores", "true");
  EXPECT_EQ(read(moved)->fabrics[0].rules[0].copies, 1);
  EXPECT_EQ(read(patched(moved, rule + "/copies", "2"))->fabrics[0].rules[0].copies, 2);
  EXPECT_EQ(errors_of(read(patched(moved, rule + "/copies", "3"))),
            "p.json: " + rule + "/copies: got 3, expected a whole number from 1 to 2");
  EXPECT_EQ(errors_of(read(patched(small, rule + "/copies", "2"))),
            "p.json: " + rule + "/copies: got copies of what links carry, expected a rule that is moved_by_cores");
}

} // namespace
} // namespace kakehashi
