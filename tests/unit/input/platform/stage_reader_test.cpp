#include "input/platform/small_platform.hpp"

#include "input/platform/part_readers.hpp"
#include "scratch_folder.hpp"

#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

const char* const staged = R"({"pipeline": "64 KiB", "stages": [
  {"fabric": "f", "from": "sender", "to": "receiver.cpu", "initiator": "to", "only_sender": "cpu"},
  {"fabric": "f", "from": "receiver.cpu", "to": "receiver"}]})";

TEST(Stages, AreRead) {
  const auto platform = read(patched(small, "/fabrics/s", staged));
  ASSERT_TRUE(platform) << errors_of(platform);
  const auto& fabric = *find_fabric(*platform, "s");
  ASSERT_EQ(fabric.stages.size(), 2u);
  EXPECT_EQ(fabric.chunk, Bytes{65536});
  EXPECT_EQ(fabric.stages[0].from.device, "");
  EXPECT_EQ(fabric.stages[0].to.side, Side::receiver);
  EXPECT_EQ(fabric.stages[0].to.device, "cpu");
  EXPECT_EQ(fabric.stages[0].initiator, Side::receiver);
  EXPECT_EQ(fabric.stages[0].only_sender, DeviceKind::cpu);
  EXPECT_EQ(fabric.stages[1].initiator, Side::sender);
}

std::string with_stage(const char* fabric, const char* from, const char* to) {
  return std::string(R"({"stages": [{"fabric": ")") + fabric + R"(", "from": ")" + from + R"(", "to": ")" + to +
         "\"}]}";
}

TEST(Stages, AreRefused) {
  expect_errors(
      {{"/fabrics/s", with_stage("g", "sender", "receiver"),
        "p.json: /fabrics/s/stages/0/fabric: got \"g\", expected a fabric of this platform with rules (did you mean "
        "\"f\"?)"},
       {"/fabrics/s", with_stage("s", "sender", "receiver"),
        "p.json: /fabrics/s/stages/0/fabric: got \"s\", expected a fabric of this platform with rules (did you mean "
        "\"f\"?)"},
       {"/fabrics/s", with_stage("f", "me", "receiver"),
        "p.json: /fabrics/s/stages/0/from: got \"me\", expected sender, receiver, or a device of their nodes such as "
        "\"sender.cpu0\""},
       {"/fabrics/s", with_stage("f", "sender", "receiver."),
        "p.json: /fabrics/s/stages/0/to: got \"receiver.\", expected sender, receiver, or a device of their nodes such "
        "as \"sender.cpu0\""},
       {"/fabrics/s", with_stage("f", "sender.gpu", "receiver"),
        "p.json: /fabrics/s/stages/0/from: got \"gpu\", which no node has, expected the name of a device in a node"},
       {"/fabrics/s", R"({"links": ["pcie"], "stages": [{"fabric": "f", "from": "sender", "to": "receiver"}]})",
        "p.json: /fabrics/s/links: a fabric with stages does not take this key"},
       {"/fabrics/s", R"({"pipeline": "0 B", "stages": [{"fabric": "f", "from": "sender", "to": "receiver"}]})",
        "p.json: /fabrics/s/pipeline: got \"0 B\", expected at least 1 B"},
       {"/fabrics/f/pipeline", "\"1 KiB\"",
        "p.json: /fabrics/f/pipeline: a fabric without stages does not take this key"},
       {"/fabrics/f/rules", "", "p.json: /fabrics/f: the key \"rules\" is missing"}});
}

const char* const by_scope = R"({"by_scope": {"inside-device": "f", "inside-node": "s", "between-nodes": "f"}})";

TEST(ByScope, IsRead) {
  const auto platform = read(patched(patched(small, "/fabrics/s", staged), "/fabrics/b", by_scope));
  ASSERT_TRUE(platform) << errors_of(platform);
  const auto& fabric = *find_fabric(*platform, "b");
  EXPECT_EQ(fabric.by_scope, (std::array<std::string, 3>{"f", "s", "f"}));
  const auto parts = parts_of(*platform, fabric);
  std::vector<std::string> names;
  for (const auto* part : parts)
    names.push_back(part->name);
  EXPECT_EQ(names, (std::vector<std::string>{"b", "f", "s", "f", "f", "f"}));
}

TEST(ByScope, IsRefused) {
  const std::string one = R"({"by_scope": {"inside-device": "f", "inside-node": "f", "between-nodes": ")";
  expect_errors({{"/fabrics/b", one + "g\"}}",
                  "p.json: /fabrics/b/by_scope/between-nodes: got \"g\", expected a fabric of this platform with rules "
                  "or stages (did you mean \"f\"?)"},
                 {"/fabrics/b", one + "b\"}}",
                  "p.json: /fabrics/b/by_scope/between-nodes: got \"b\", expected a fabric of this platform with rules "
                  "or stages (did you mean \"f\"?)"},
                 {"/fabrics/b", one + R"(f"}, "pipeline": "1 KiB"})",
                  "p.json: /fabrics/b/pipeline: a fabric with by_scope does not take this key"}});
}

TEST(PeerLimits, AreRead) {
  const auto platform = read(patched(small, "/peer_limits",
                                     R"([{"requester": "hca", "memory": "coprocessor", "access": "write",
                                          "crosses": "qpi", "rate": "0.5 GB/s",
                                          "source": {"kind": "document", "from": "the text"}}])"));
  ASSERT_TRUE(platform) << errors_of(platform);
  const auto& limit = platform->peer_limits.at(0);
  EXPECT_EQ(limit.requester, DeviceKind::hca);
  EXPECT_EQ(limit.memory, DeviceKind::coprocessor);
  EXPECT_EQ(limit.access, MemoryAccess::write);
  EXPECT_EQ(limit.crosses, link_type("qpi"));
  EXPECT_EQ(limit.rate, gigabytes_per_second(0.5));
  EXPECT_EQ(limit.source.kind, SourceKind::document);
}

TEST(PeerLimits, AreRefused) {
  const std::string one = R"({"requester": "hca", "memory": "gpu", "access": "read", "rate": "1 GB/s"})";
  expect_errors({{"/peer_limits", "[" + one + "," + one + "]",
                  "p.json: /peer_limits/1: this limit can never apply, because /peer_limits/0 fits all that it fits"},
                 {"/peer_limits", R"([{"requester": "hca", "memory": "gpu", "access": "read", "rate": "1"}])",
                  "p.json: /peer_limits/0/rate: got \"1\", expected a rate such as \"10 Gbit/s\" or \"1.25 GB/s\""},
                 {"/peer_limits", R"([{"requester": "cpu", "memory": "gpu", "access": "read", "rate": "1 GB/s"}])",
                  "p.json: /peer_limits/0/requester: got \"cpu\", expected one of \"coprocessor\", \"gpu\", \"hca\", "
                  "\"nic\", \"peach2\" (did you mean \"gpu\"?)"}});
}

// Claims of other platforms are theirs.
TEST(PeerLimits, MayStandInAFileThatPlatformsShare) {
  const auto file = scratch_file("limits.json");
  const auto named = patched(small, "/peer_limits", "\"" + file + "\"");
  std::ofstream(file) << R"({"peer_limits": [{"requester": "hca", "memory": "gpu", "access": "read", "rate": "1 GB/s",
    "source": {"kind": "document", "from": "a text", "claims": ["p/own", "q/theirs"], "curves": ["c"]}}]})";
  const auto platform = read(named);
  ASSERT_TRUE(platform) << errors_of(platform);
  ASSERT_EQ(platform->peer_limits.size(), 1u);
  EXPECT_EQ(platform->peer_limits[0].source.claims, std::vector<std::string>{"own"});
  EXPECT_EQ(platform->peer_limits[0].source.curves, std::vector<std::string>{"c"});
  auto document = parse_json(named.dump(), "p.json");
  ASSERT_TRUE(document);
  EXPECT_TRUE(unshare_peer_limits(*document).empty());
  EXPECT_EQ((*document->root)["peer_limits"].size(), 1u); // so that one of them can be changed

  std::ofstream(file) << R"({"peer_limits": [{"requester": "hca", "memory": "gpu", "access": "read", "rate": "1"}]})";
  EXPECT_EQ(errors_of(read(named)), file + ": /peer_limits/0/rate: got \"1\", expected a rate such as \"10 Gbit/s\" "
                                           "or \"1.25 GB/s\"");
  std::ofstream(file) << R"({"peer_limits": "another.json"})";
  EXPECT_EQ(errors_of(read(named)), file + ": /peer_limits: got \"another.json\", expected an array");
  std::ofstream(file) << "{}";
  EXPECT_EQ(errors_of(read(named)), file + ": the key \"peer_limits\" is missing");
}

TEST(Thresholds, AreSizesByName) {
  auto root = patched(small, "/fabrics/f/thresholds", R"({"copy": "1 KiB"})");
  root["fabrics"]["f"]["rules"][0]["regimes"][0]["to"] = "copy";
  root["fabrics"]["f"]["rules"][0]["regimes"][1]["from"] = "copy";
  const auto platform = read(root);
  ASSERT_TRUE(platform) << errors_of(platform);
  EXPECT_EQ(platform->fabrics[0].rules[0].regimes[1].from, Bytes{1024});
  root["fabrics"]["f"]["rules"][0]["regimes"][0]["to"] = "cpoy";
  EXPECT_EQ(errors_of(read(root)),
            "p.json: /fabrics/f/rules/0/regimes/0/to: got \"cpoy\", expected a size such as \"64 "
            "KiB\" or \"4 B\", or the name of a threshold of the fabric (did you mean \"copy\"?)");
}

TEST(Alignment, NeedsAMultiple) {
  expect_errors({{eager + "/alignment", R"({"multiple": "0 B", "penalty": "1 us"})",
                  "p.json: /fabrics/f/rules/0/regimes/0/alignment/multiple: got \"0 B\", expected at least 1 B"}});
}

} // namespace
} // namespace kakehashi
