#include "input/platform/small_platform.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Platform, IsRefusedIfItDoesNotFitTheSchema) {
  expect_errors(
      {{"", "{}", "p.json: the key \"name\" is missing\np.json: the key \"fabrics\" is missing"},
       {"", "[]", "p.json: got an array, expected an object"},
       {"", "null", "p.json: got null, expected an object"},
       {"/name", "", "p.json: the key \"name\" is missing"},
       {"/name", "3", "p.json: /name: got 3, expected a string"},
       {"/name", R"("")", "p.json: /name: got \"\", expected a text that is not empty"},
       {"/description", '"' + std::string(2001, 'x') + '"',
        "p.json: /description: got a text of 2001 characters, expected at most 2000"},
       {"/fabric", "{}",
        "p.json: /fabric: got an unknown key, expected one of \"$schema\", \"description\", \"devices\", "
        "\"fabrics\", \"gpu_library\", \"links\", \"megabyte\", \"mpi\", \"name\", \"networks\", \"nodes\", "
        "\"peer_limits\", "
        "\"stack\", \"templates\", \"tofu\" "
        "(did you mean "
        "\"fabrics\"?)"},
       {"/a~1b\n", "1",
        "p.json: /a~1b\\u000a: got an unknown key, expected one of \"$schema\", \"description\", \"devices\", "
        "\"fabrics\", \"gpu_library\", \"links\", \"megabyte\", \"mpi\", \"name\", \"networks\", \"nodes\", "
        "\"peer_limits\", "
        "\"stack\", \"templates\", \"tofu\""},
       {"/fabrics", "{}", "p.json: /fabrics: got an empty object, expected at least one entry"},
       {"/fabrics", "[]", "p.json: /fabrics: got an array, expected an object"},
       {"/nodes", "[\"t\"]", "p.json: /nodes: got an array, expected an object"},
       {"/templates/t/devices", "[]", "p.json: /templates/t/devices: got 0 items, expected at least 1"},
       {"/links/0/between/-", "\"n1.cpu\"", "p.json: /links/0/between: got 3 items, expected 2"},
       {rule + "/regimes", "[]", "p.json: " + rule + "/regimes: got 0 items, expected at least 1"},
       {"/links/0/type", "\"infinband\"",
        "p.json: /links/0/type: got \"infinband\", expected one of \"qpi\", \"upi\", \"pcie\", \"nvlink\", "
        "\"infiniband\", \"ethernet\", \"peach2\", \"tofu\" (did you mean \"infiniband\"?)"},
       {slot + "/lanes", "8.0", "p.json: " + slot + "/lanes: got 8.0, expected a whole number"},
       {slot + "/lanes", "-1", "p.json: " + slot + "/lanes: got -1, expected a whole number from 1 to 32"},
       {slot + "/lanes", "18446744073709551615",
        "p.json: /templates/t/links/0/lanes: got 18446744073709551615, expected a whole number from 1 to 32"},
       {slot + "/lanes", "1e300", "p.json: " + slot + "/lanes: got 1e+300, expected a whole number"},
       {slot + "/lanes", "true", "p.json: " + slot + "/lanes: got true, expected a whole number"},
       {slot + "/generation", "7",
        "p.json: /templates/t/links/0/generation: got 7, expected a whole number from 1 to 6"},
       {rendezvous + "/trips", "0",
        "p.json: /fabrics/f/rules/0/regimes/1/trips: got 0, expected a whole number from 1 to 9"},
       {eager + "/o_send", "{}",
        "p.json: /fabrics/f/rules/0/regimes/0/o_send: got an empty object, expected one of \"any\", "
        "\"coprocessor\", \"cpu\", \"dpu\", \"gpu\""},
       {eager + "/o_send", "1", "p.json: " + eager + "/o_send: got 1, expected a string or an object"},
       {eager + "/o_send", R"({"hca": "1 us"})",
        "p.json: /fabrics/f/rules/0/regimes/0/o_send/hca: got an unknown key, expected one of \"any\", "
        "\"coprocessor\", \"cpu\", \"dpu\", \"gpu\""},
       {rule + "/between", R"(["cpu", "hca"])",
        "p.json: /fabrics/f/rules/0/between/1: got \"hca\", expected one of \"cpu\", \"coprocessor\", \"gpu\", "
        "\"dpu\""},
       {rule + "/source", R"({"kind": "spec"})", "p.json: " + rule + "/source: the key \"from\" is missing"},
       {"/fabrics/f/adjustments", R"([{"crosses": "pcie", "copy_factor": 0.5}])",
        "p.json: /fabrics/f/adjustments/0/copy_factor: got 0.5, expected a number from 1 to 1000"},
       {"/links/0/bandwidth", R"({"forward": "1 GB/s"})",
        "p.json: /links/0/bandwidth: the key \"backward\" is missing"}});
}

TEST(Platform, IsRefusedForQuantitiesWithoutTheirUnits) {
  expect_errors(
      {{"/links/0/latency", "\"1\"",
        "p.json: /links/0/latency: got \"1\", expected a time such as \"0.65 us\" or \"2 ms\""},
       {"/links/0/latency", "\"NaN us\"",
        "p.json: /links/0/latency: got \"NaN us\", expected a time such as \"0.65 us\" or \"2 ms\""},
       {"/links/0/latency", "\"1e400 us\"",
        "p.json: /links/0/latency: got \"1e400 us\", expected a time such as \"0.65 us\" or \"2 ms\""},
       {"/links/0/latency", "\"1 us\\u0000\"",
        "p.json: /links/0/latency: got \"1 us\\u0000\", expected a time such as \"0.65 us\" or \"2 ms\""},
       {"/links/0/latency", '"' + std::string(41, '1') + '"',
        "p.json: /links/0/latency: got a text of 41 characters, expected at most 40"},
       {"/links/0/bandwidth", "\"10 Gb\"",
        "p.json: /links/0/bandwidth: got \"10 Gb\", expected a rate such as \"10 Gbit/s\" or \"1.25 GB/s\""},
       {"/links/0/bandwidth", R"({"forward": "1 GB/s", "backward": "0 GB/s"})",
        "p.json: /links/0/bandwidth/backward: got \"0 GB/s\", expected a rate such as \"10 Gbit/s\" or \"1.25 "
        "GB/s\""},
       {"/templates/t/devices/0/memory", R"({"bandwidth": "-1 GB/s"})",
        "p.json: /templates/t/devices/0/memory/bandwidth: got \"-1 GB/s\", expected a rate such as \"10 "
        "Gbit/s\" or \"1.25 GB/s\""},
       {"/templates/t/devices/0/memory", R"({"channels": 4, "cache": "64 MiB"})",
        "p.json: /templates/t/devices/0/memory: there is no \"bandwidth\"; expected that, or \"channels\" and "
        "\"transfers\""},
       {slot + "/max_payload", "\"256\"",
        "p.json: /templates/t/links/0/max_payload: got \"256\", expected a size such as \"64 KiB\" or \"4 B\""},
       {"/links/-", R"({"between": ["n1.cpu", "n2.cpu"], "type": "qpi", "transfers": "8 GB/s"})",
        "p.json: /links/1/transfers: got \"8 GB/s\", expected a transfer rate such as \"8 GT/s\""},
       {"/links/-", R"({"between": ["n1.cpu", "n2.cpu"], "type": "tofu", "line_rate": "5 GT/s"})",
        "p.json: /links/1/line_rate: got \"5 GT/s\", expected a rate such as \"10 Gbit/s\" or \"1.25 GB/s\""},
       {eager + "/from", "\"0 b\"",
        "p.json: /fabrics/f/rules/0/regimes/0/from: got \"0 b\", expected a size such as \"64 KiB\" or \"4 B\""},
       {eager + "/to", "\"0.5 B\"",
        "p.json: /fabrics/f/rules/0/regimes/0/to: got \"0.5 B\", expected a size such as \"64 KiB\" or \"4 B\""},
       {eager + "/o_send", "\"1 us/B\"",
        "p.json: /fabrics/f/rules/0/regimes/0/o_send: got \"1 us/B\", expected a time such as \"0.65 us\" or "
        "\"2 ms\""},
       {eager + "/o_recv", R"({"any": "1 B"})",
        "p.json: /fabrics/f/rules/0/regimes/0/o_recv/any: got \"1 B\", expected a time such as \"0.65 us\" or "
        "\"2 ms\""},
       {eager + "/per_byte_send", "\"1 us\"",
        "p.json: /fabrics/f/rules/0/regimes/0/per_byte_send: got \"1 us\", expected a cost per byte such as "
        "\"0.25 ns/B\""},
       {eager + "/per_byte_recv", "\"2 s/B\"",
        "p.json: /fabrics/f/rules/0/regimes/0/per_byte_recv: got \"2 s/B\", expected a cost per byte such as "
        "\"0.25 ns/B\""},
       {eager + "/setup", "\"-1 us\"",
        "p.json: /fabrics/f/rules/0/regimes/0/setup: got \"-1 us\", expected a time such as \"0.65 us\" or \"2 "
        "ms\""},
       {eager + "/cap", "\"inf GB/s\"",
        "p.json: /fabrics/f/rules/0/regimes/0/cap: got \"inf GB/s\", expected a rate such as \"10 Gbit/s\" or "
        "\"1.25 GB/s\""},
       {eager + "/gap", "\"\"",
        "p.json: /fabrics/f/rules/0/regimes/0/gap: got \"\", expected a time such as \"0.65 us\" or \"2 ms\""},
       {"/fabrics/f/adjustments", R"([{"crosses": "pcie", "latency": "1"}])",
        "p.json: /fabrics/f/adjustments/0/latency: got \"1\", expected a time such as \"0.65 us\" or \"2 ms\""},
       {"/fabrics/f/adjustments", R"([{"crosses": "pcie", "overhead": "1"}])",
        "p.json: /fabrics/f/adjustments/0/overhead: got \"1\", expected a time such as \"0.65 us\" or \"2 ms\""},
       {"/fabrics/f/adjustments", R"([{"crosses": "pcie", "gap": "1"}])",
        "p.json: /fabrics/f/adjustments/0/gap: got \"1\", expected a time such as \"0.65 us\" or \"2 ms\""}});
}

TEST(Platform, IsRefusedForItsDevicesAndLinks) {
  expect_errors(
      {{"/name", "\"a b\"", "p.json: /name: got \"a b\", expected a name of letters, digits, '-' and '_'"},
       {node + "/devices/-", R"({"name": "cpu.0", "kind": "cpu"})",
        "p.json: /templates/t/devices/2/name: got \"cpu.0\", expected a name of letters, digits, '-' and '_'"},
       {"/nodes/n 3", "\"t\"", "p.json: /nodes/n 3: got \"n 3\", expected a name of letters, digits, '-' and '_'"},
       {"/nodes/", "\"t\"", "p.json: /nodes/: got an empty name, expected a name of letters, digits, '-' and '_'"},
       {"/nodes/n3", "\"tt\"", "p.json: /nodes/n3: got \"tt\", expected the name of a template (did you mean \"t\"?)"},
       {node + "/devices/-", R"({"name": "cpu", "kind": "gpu"})",
        "p.json: /templates/t/devices/2/name: got the device \"cpu\" twice, expected each only once"},
       {node + "/devices/1/memory", R"({"bandwidth": "1 GB/s"})",
        "p.json: /templates/t/devices/1/memory: devices of kind hca do not take this key; cpu, coprocessor, gpu and "
        "dpu do"},
       {node + "/devices/0/message_rate", "1e8",
        "p.json: /templates/t/devices/0/message_rate: devices of kind cpu do not take this key; hca, nic, peach2 and "
        "tofu do"},
       {"/links/0/between/1", "\"n2.hcb\"",
        "p.json: /links/0/between/1: got \"n2.hcb\", which is no device here, expected the name of a device "
        "(did you mean \"n2.hca\"?)"},
       {"/links/0/between/1", "\"n2.hca\\u0000\"",
        "p.json: /links/0/between/1: got \"n2.hca\\u0000\", which is no device here, expected the name of a "
        "device (did you mean \"n2.hca\"?)"},
       {slot + "/between/0", "\"gpu17\"",
        "p.json: /templates/t/links/0/between/0: got \"gpu17\", which is no device here, expected the name of a "
        "device"},
       {"/links/0/between/1", "\"n1.hca\"",
        "p.json: /links/0/between: got a link from \"n1.hca\" to itself, expected two devices"},
       {"/links/-", R"({"between": ["n2.hca", "n1.hca"], "type": "infiniband", "bandwidth": "1 GB/s"})",
        "p.json: /links/1/between: got a second infiniband link between n2.hca and n1.hca, expected a single "
        "link with the capacity of both"},
       {"/links/0/line_rate", "\"1 GB/s\"",
        "p.json: /links/0/line_rate: links of type infiniband do not take this key; they take \"signalling\", "
        "\"lanes\""},
       {"/links/0/max_payload", "\"256 B\"",
        "p.json: /links/0/max_payload: links of type infiniband do not take this key; they take \"signalling\", "
        "\"lanes\""},
       {slot + "/transfers", "\"8 GT/s\"",
        "p.json: /templates/t/links/0/transfers: links of type pcie do not take this key; they take "
        "\"generation\", \"lanes\", \"max_payload\""},
       {"/links/0/signalling", "",
        "p.json: /links/0: the key \"signalling\" is missing; links of type infiniband need it, or \"bandwidth\""},
       {slot + "/generation", "",
        "p.json: /templates/t/links/0: the key \"generation\" is missing; links of type pcie need it, or "
        "\"bandwidth\""},
       {slot + "/lanes", "3", "p.json: /templates/t/links/0/lanes: got 3, expected one of 1, 2, 4, 8, 12, 16, 32"},
       {"/links/0/lanes", "16", "p.json: /links/0/lanes: got 16, expected one of 1, 2, 4, 8, 12"},
       {"/links/0", R"({"between": ["n1.hca", "n2.hca"], "type": "infiniband", "bandwidth": "1 GB/s", "lanes": 7})",
        "p.json: /links/0/lanes: got 7, expected one of 1, 2, 4, 8, 12"},
       {slot + "/max_payload", "\"384 B\"",
        "p.json: /templates/t/links/0/max_payload: got \"384 B\", expected 128, 256, 512, 1024, 2048 or 4096 B"},
       {slot + "/max_payload", "\"8 KiB\"",
        "p.json: /templates/t/links/0/max_payload: got \"8 KiB\", expected 128, 256, 512, 1024, 2048 or 4096 B"},
       {"/devices", R"([{"name": "far", "kind": "cpu"}])",
        "p.json: there is no path of links from \"n1.cpu\" to \"far\""},
       {node + "/devices/0/kind", "\"nic\"",
        "p.json: got no device that ranks can run on, expected a cpu, coprocessor, gpu or dpu"},
       {"/nodes", "{}",
        "p.json: /links/0/between/0: got \"n1.hca\", which is no device here, expected the name of a device\n"
        "p.json: /links/0/between/1: got \"n2.hca\", which is no device here, expected the name of a device"}});
}

TEST(Platform, TellsAllFaultsInDocumentOrder) {
  const auto document = parse_json(R"({
    "name": "p q",
    "links": [{"between": ["a", "c"], "type": "qpi", "transfers": "8"}],
    "fabrics": {"f": {"rules": [{"regimes": [{"from": "1 B", "gap": "1"}, {"from": "2 B"}]}], "links": ["qpi"]}},
    "devices": [{"name": "a", "kind": "cpu"}, {"name": "b b", "kind": "cpu", "memory": {"bandwidth": "1"}}]})",
                                   "p.json");
  EXPECT_EQ(
      errors_of(parse_platform(*document)),
      "p.json: /name: got \"p q\", expected a name of letters, digits, '-' and '_'\n"
      "p.json: /links/0/between/1: got \"c\", which is no device here, expected the name of a device (did you mean "
      "\"a\"?)\n"
      "p.json: /links/0/transfers: got \"8\", expected a transfer rate such as \"8 GT/s\"\n"
      "p.json: /fabrics/f/rules/0/regimes/0/from: got \"1 B\", which leaves a hole from 0 B on, expected \"0 B\"\n"
      "p.json: /fabrics/f/rules/0/regimes/0/gap: got \"1\", expected a time such as \"0.65 us\" or \"2 ms\"\n"
      "p.json: /fabrics/f/rules/0/regimes/1/from: got \"2 B\", which overlaps the regime before, expected a \"to\" in "
      "the regime before\n"
      "p.json: /devices/1/name: got \"b b\", expected a name of letters, digits, '-' and '_'\n"
      "p.json: /devices/1/memory/bandwidth: got \"1\", expected a rate such as \"10 Gbit/s\" or \"1.25 GB/s\"");
}

TEST(Platform, IsWrittenOutNodeByNode) {
  const auto platform = read(small);
  ASSERT_EQ(errors_of(platform), "no errors");
  EXPECT_EQ(platform->nodes, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(platform->devices.size(), 4U);
  EXPECT_EQ(find_device(*platform, "n2.hca"), 3U);
  EXPECT_EQ(platform->devices[3].node, 1U);
  ASSERT_EQ(platform->links.size(), 3U);
  EXPECT_EQ(platform->links[1].name, "n2.cpu-n2.hca:pcie");
  EXPECT_EQ(platform->links[2].name, "n1.hca-n2.hca:infiniband");
  const auto& regimes = find_fabric(*platform, "f")->rules[0].regimes;
  EXPECT_EQ(regimes[0].to, Bytes{1024});
  EXPECT_EQ(regimes[0].protocol(), Protocol::eager);
  EXPECT_EQ(regimes[1].to, std::nullopt);
  EXPECT_EQ(regimes[1].protocol(), Protocol::rendezvous);
  EXPECT_EQ(of_kind(regimes[0].send_overhead, DeviceKind::gpu), microseconds(1));
}

TEST(Platform, NeedsNoMoreThanADeviceAndARule) {
  const auto platform = read(nlohmann::json::parse(R"({"name": "p", "devices": [{"name": "a", "kind": "gpu"}],
    "fabrics": {"f": {"links": [], "rules": [{"regimes": [{"from": "0 B"}]}]}}})"));
  ASSERT_EQ(errors_of(platform), "no errors");
  EXPECT_TRUE(platform->nodes.empty());
  EXPECT_EQ(platform->devices[0].local_name(), "a");
  EXPECT_EQ(platform->devices[0].node, std::nullopt);
}

TEST(Platform, TakesEachLinkTypeWithItsDataSheetOrABandwidth) {
  const std::pair<const char*, const char*> sheets[] = {
      {"qpi", R"("transfers": "8 GT/s")"},
      {"upi", R"("transfers": "10.4 GT/s")"},
      {"pcie", R"("generation": 6, "lanes": 32, "max_payload": "4 KiB")"},
      {"nvlink", R"("line_rate": "20 GB/s")"},
      {"infiniband", R"("signalling": "FDR10", "lanes": 12)"},
      {"ethernet", R"("line_rate": "10 Gbit/s")"},
      {"peach2", R"("max_payload": "128 B")"},
      {"tofu", R"("line_rate": "5 GB/s")"}};
  for (const auto& [type, sheet] : sheets)
    for (const std::string rating : {sheet, R"("bandwidth": "1 GB/s")"}) {
      const auto root = nlohmann::json::parse(
          std::string(R"({"name": "p", "devices": [{"name": "a", "kind": "cpu"}, {"name": "b", "kind": "cpu"}],
            "links": [{"between": ["a", "b"], "type": ")") +
          type + "\", " + rating + R"(}], "fabrics": {"f": {"links": [")" + type +
          R"("], "rules": [{"regimes": [{"from": "0 B"}]}]}}})");
      const auto platform = read(root);
      ASSERT_EQ(errors_of(platform), "no errors") << type;
      EXPECT_EQ(name_of(platform->links[0].type), type);
      EXPECT_EQ(platform->links[0].bandwidth.has_value(), rating != sheet);
      EXPECT_TRUE(platform->links[0].bandwidth || platform->links[0].rating) << type;
    }
}

TEST(Platform, TakesChangesThatFit) {
  for (const auto& [place, value] :
       {Accept{"/links/0/bandwidth", R"({"forward": "1 GB/s", "backward": "2 GB/s"})"},
        Accept{"/links/0/latency", "\"0 s\""}, Accept{eager + "/o_send", R"({"cpu": "1 us"})"},
        Accept{eager + "/o_send", R"({"any": "1 us", "gpu": "2 us"})"}, Accept{eager + "/cap", "\"1e3 MB/s\""},
        Accept{eager + "/to", "\"1024 B\""}, Accept{"/fabrics/f/gateways", "[]"},
        Accept{"/templates/t/devices/0/memory", R"({"cache": "64 MiB"})"}, Accept{"/fabrics/f/gateways/-", "\"cpu\""},
        Accept{"/fabrics/f/moved_by_cores", "true"}, Accept{"/links/-", R"({"between": ["n1.hca", "n2.hca"],
                                                       "type": "ethernet", "line_rate": "1 Gbit/s"})"},
        Accept{"/fabrics/f/adjustments", R"([{"crosses": "pcie", "gap": "1 us"}])"},
        Accept{"/description", '"' + std::string(2000, 'x') + '"'}, Accept{"/$schema", "\"x\""}})
    EXPECT_EQ(errors_of(read(patched(small, place, value))), "no errors") << place << " = " << value;
}

TEST(Platform, KeepsTheTwoDirectionsAndTheKindsApart) {
  auto root = patched(small, "/links/0/bandwidth", R"({"forward": "1 GB/s", "backward": "2 GB/s"})");
  root = patched(root, eager + "/o_send", R"({"any": "1 us", "gpu": "2 us"})");
  const auto platform = read(root);
  ASSERT_EQ(errors_of(platform), "no errors");
  EXPECT_EQ(platform->links[2].bandwidth, Capacity(gigabytes_per_second(1), gigabytes_per_second(2)));
  const auto& overhead = platform->fabrics[0].rules[0].regimes[0].send_overhead;
  EXPECT_EQ(of_kind(overhead, DeviceKind::cpu), microseconds(1));
  EXPECT_EQ(of_kind(overhead, DeviceKind::gpu), microseconds(2));
}

TEST(Platform, FilesThatAreMissingAreTold) {
  EXPECT_EQ(errors_of(read_platform("no-such.json")), "no-such.json: no such file");
  EXPECT_EQ(errors_of(read_platform(KAKEHASHI_SOURCE_DIR "/platforms/hpcdiy-qdr.json")), "no errors");
}

} // namespace
} // namespace kakehashi
