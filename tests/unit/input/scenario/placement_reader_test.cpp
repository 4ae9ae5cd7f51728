// Where ranks are, and which collective algorithms they use.
#include "input/platform/mpi_reader.hpp"
#include "input/platform/small_platform.hpp"
#include "input/scenario/scenario_parts.hpp"
#include "workload/collective/registry.hpp"

namespace kakehashi {
namespace {

// Devices n1.cpu, n1.hca, n2.cpu, n2.hca of the small platform.
std::string placed(const std::string& ranks, const Platform& platform = *read(small)) {
  Faults faults("s.json");
  std::string text;
  for (const auto device : read_ranks(nlohmann::json::parse(ranks), platform, faults))
    text += (text.empty() ? "" : " ") + platform.devices[device].name;
  return faults.empty() ? text : lines_of(faults.take());
}

TEST(Placement, IsABlockOfRanksOnEachDevice) {
  EXPECT_EQ(placed(R"(["n2.cpu", "n1.cpu"])"), "n2.cpu n1.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"]})"), "n1.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["*"], "per_device": 2})"), "n1.cpu n1.cpu n2.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n2.*", "n1.cpu"], "per_device": 2, "order": "block"})"), "n2.cpu n2.cpu n1.cpu n1.cpu");
  EXPECT_EQ(placed(R"({"on": ["*1*cpu*", "n2.cpu"]})"), "n1.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n[2,1].cpu"]})"), "n2.cpu n1.cpu");
  EXPECT_EQ(placed(R"({"on": ["n[1-2].*"]})"), "n1.cpu n2.cpu");
}

TEST(Placement, HasRoomForAsManyRanksAsThereAre) {
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "count": 1})"), "n1.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "count": 2})"), "n1.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "count": 3})"), "n1.cpu n1.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "count": 4, "order": "cyclic"})"), "n1.cpu n2.cpu n1.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "count": 3, "per_node": 1})"),
            "s.json: /ranks/count: got 3, expected at most 2, which fit on 2 devices");
}

TEST(Placement, MatchesManyStarsInALongNameAtOnce) {
  auto platform = *read(small);
  const std::string name = std::string(2000, 'a') + "b";
  platform.devices[0].name = name;
  std::string stars;
  for (int i = 0; i < 500; ++i)
    stars += "*a";
  const auto found = [&](const std::string& pattern) {
    Faults faults("s.json");
    return read_ranks(nlohmann::json{{"on", {pattern}}}, platform, faults).size();
  };
  EXPECT_EQ(found(stars + "b"), 1u);
  EXPECT_EQ(found(stars + "*b*b"), 0u);
  EXPECT_EQ(found(stars + "*aab"), 1u);
  EXPECT_EQ(found(name.substr(1999) + "*" + name), 0u); // what the stars leave is too short
}

TEST(Placement, CanGoRoundTheDevices) {
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "per_device": 2, "order": "cyclic"})"), "n1.cpu n2.cpu n1.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "per_device": 2, "order": "cyclic", "count": 3})"), "n1.cpu n2.cpu n1.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "per_device": 2, "count": 3})"), "n1.cpu n1.cpu n2.cpu");
}

TEST(Placement, CanGoRoundTheDevicesOfEachNode) {
  auto platform = *read(small);
  for (auto& device : platform.devices)
    device.kind = DeviceKind::cpu;
  EXPECT_EQ(placed(R"({"on": ["n*"], "per_device": 2, "order": "cyclic-in-node"})", platform),
            "n1.cpu n1.hca n1.cpu n1.hca n2.cpu n2.hca n2.cpu n2.hca");
  EXPECT_EQ(placed(R"({"on": ["n2.hca", "n1.*", "n2.cpu"], "per_device": 2, "order": "cyclic-in-node", "count": 6})",
                   platform),
            "n2.hca n2.cpu n2.hca n2.cpu n1.cpu n1.hca");
  platform.devices[find_device(platform, "n1.hca").value()].node.reset(); // outside of nodes each is by itself
  EXPECT_EQ(placed(R"({"on": ["n1.*", "n2.cpu"], "per_device": 2, "order": "cyclic-in-node"})", platform),
            "n1.cpu n1.cpu n1.hca n1.hca n2.cpu n2.cpu");
}

TEST(Placement, CanGoRoundTheNodes) {
  auto platform = *read(small);
  for (auto& device : platform.devices)
    device.kind = DeviceKind::cpu;
  EXPECT_EQ(placed(R"({"on": ["n*"], "per_device": 2, "order": "cyclic-over-nodes"})", platform),
            "n1.cpu n2.cpu n1.cpu n2.cpu n1.hca n2.hca n1.hca n2.hca");
  EXPECT_EQ(placed(R"({"on": ["n1.*", "n2.cpu"], "order": "cyclic-over-nodes"})", platform), "n1.cpu n2.cpu n1.hca");
}

TEST(Placement, CanLeaveRoomOnNodes) {
  auto platform = *read(small);
  for (auto& device : platform.devices) {
    device.kind = DeviceKind::cpu;
    device.cores = 4;
  }
  EXPECT_EQ(placed(R"({"on": ["n*"], "per_device": 0, "per_node": 3})", platform),
            "n1.cpu n1.cpu n1.cpu n2.cpu n2.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*"], "per_device": 0, "per_node": 3, "order": "cyclic-in-node"})", platform),
            "n1.cpu n1.hca n1.cpu n2.cpu n2.hca n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*"], "per_device": 0, "per_node": 5, "count": 7})", platform),
            "n1.cpu n1.cpu n1.cpu n1.cpu n1.hca n2.cpu n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n*"], "per_device": 0, "per_node": 5, "count": 11})", platform),
            "s.json: /ranks/count: got 11, expected at most 10, which fit on 4 devices");
  EXPECT_EQ(placed(R"({"on": ["n*"], "per_device": 0, "per_node": 1600})", platform),
            "s.json: /ranks/per_node: got 1600, expected at most 8, which fit on the devices of a node; \"per_device\" "
            "states how many one has room for");
  EXPECT_EQ(placed(R"({"on": ["n1.*", "n2.cpu"], "per_device": 0, "per_node": 8, "count": 10})", platform),
            "n1.cpu n1.cpu n1.cpu n1.cpu n1.hca n1.hca n1.hca n1.hca n2.cpu n2.cpu");
  platform.devices[find_device(platform, "n2.cpu").value()].cores = 0;
  EXPECT_EQ(placed(R"({"on": ["n*"], "per_device": 0})", platform),
            "s.json: /ranks/per_device: got 0, expected a number, since n2.cpu does not state its cores");
}

TEST(Placement, IsRefusedIfItDoesNotFitThePlatform) {
  EXPECT_EQ(
      placed(R"({"on": ["n[1-9].cpu"]})"),
      "s.json: /ranks/on/0: got \"n3.cpu\", expected a device of p.json: n1.cpu, n2.cpu (did you mean \"n1.cpu\"?)");
  EXPECT_EQ(placed(R"({"on": ["n[2-1].cpu"]})"),
            "s.json: /ranks/on/0: got \"n[2-1].cpu\", expected ranges such as \"[0-7]\" or \"[00-15,20]\" in a name");
  EXPECT_EQ(
      placed(R"({"on": ["n1.cup"]})"),
      "s.json: /ranks/on/0: got \"n1.cup\", expected a device of p.json: n1.cpu, n2.cpu (did you mean \"n1.cpu\"?)");
  EXPECT_EQ(placed(R"({"on": ["n1.hca"]})"),
            "s.json: /ranks/on/0: got \"n1.hca\" of kind hca, expected a cpu, coprocessor, gpu or dpu");
  EXPECT_EQ(placed(R"({"on": ["n1.cpu", "*.hca"]})"),
            "s.json: /ranks/on/1: got \"*.hca\", which matches nothing that ranks can run on, expected a "
            "device of p.json: n1.cpu, n2.cpu");
  EXPECT_EQ(placed(R"({"on": ["n1.cpu", "n*.cpu"]})"),
            "s.json: /ranks/on/1: got \"n*.cpu\", which matches \"n1.cpu\" a second time, expected each device once");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "per_device": 2, "count": 5})"),
            "s.json: /ranks/count: got 5, expected at most 4, which fit on 2 devices with 2 each");
  EXPECT_EQ(placed(R"({"on": ["n*.cpu"], "per_device": 100000})"),
            "s.json: /ranks: got 200000 ranks, expected at most 100000");
}

std::string mpi_errors(const std::string& mpi) {
  return errors_of(read(patched(small, "/mpi", mpi)));
}

TEST(Mpi, IsRefusedForItsFaults) {
  EXPECT_EQ(mpi_errors(R"({"collectives": "openmpi"})"),
            "p.json: /mpi/collectives: got \"openmpi\", expected one of \"open-mpi\", \"open-mpi-4.1\", "
            "\"open-mpi-5.0\", \"mpich\", \"mpich-4\", \"cray-mpich\", \"intel-mpi\", \"intel-mpi-2019\", "
            "\"intel-mpi-2021\", \"mvapich2-2.3\", \"mpt\", \"hcoll\", \"ucc\", \"fujitsu-old\", \"fujitsu-1.2.1-04\", "
            "\"fujitsu-1.2.1-07\", \"fujitsu-1.2.1-08\", \"fujitsu-new\", \"fujitsu-4\", "
            "\"fixed\" (did you mean \"open-mpi\"?)");
  EXPECT_EQ(mpi_errors(R"({"algorithms": {"scan": "linaer", "barrier": {"name": "ring"}}})"),
            "p.json: /mpi/algorithms/barrier/name: got \"ring\", expected one of \"dissemination\", "
            "\"recursive-doubling\", \"linear\", \"double-ring\", \"tree\", \"two-level\", \"shared-memory\" "
            "(did you mean \"double-ring\"?)\n"
            "p.json: /mpi/algorithms/scan: got \"linaer\", expected one of \"linear\", \"recursive-doubling\", "
            "\"two-level\" (did you mean \"linear\"?)");
  EXPECT_EQ(mpi_errors(R"({"algorithms": {"bcast": {"name": "binomial", "width": 2},
                                          "allreduce": {"name": "ring", "segment": "1 KiB"}}})"),
            "p.json: /mpi/algorithms/allreduce/segment: ring does not take this key\n"
            "p.json: /mpi/algorithms/bcast/width: binomial does not take this key");
  EXPECT_EQ(mpi_errors(R"({"reduction": "1 us"})"),
            "p.json: /mpi/reduction: got \"1 us\", expected a cost per byte such as \"0.25 ns/B\"");
  EXPECT_EQ(mpi_errors(R"({"source": {"kind": "spec", "from": "a sheet"}})"),
            "p.json: /mpi/source: there is no time or factor, such as \"reduction\", that could come from it");
  EXPECT_EQ(mpi_errors(R"({"after_work": "9 us", "source": {"kind": "spec", "from": "a sheet"}})"), "no errors");
}

TEST(Mpi, OfAScenarioBeatsThatOfItsPlatform) {
  const auto settings = [](const char* text) {
    Faults faults("p.json");
    Errors elsewhere;
    auto read = read_mpi(JsonDocument{"p.json", JsonValue(nlohmann::json::parse(text)), {}}, faults, elsewhere);
    EXPECT_TRUE(faults.empty());
    return read;
  };
  const auto platform = settings(R"({"mpi": {"collectives": "mpich", "reduction": "1 ns/B",
    "source": {"kind": "document", "from": "a text"},
    "algorithms": {"bcast": "linear", "reduce": {"name": "chain", "segment": "2 KiB", "width": 3}}}})");
  const auto both = combined(platform, settings(R"({"mpi": {"algorithms": {"bcast": "binary"}}})"));
  EXPECT_EQ(both.selector, Selector::mpich);
  EXPECT_EQ(both.reduction, all_kinds(SecondsPerByte{1e-9}));
  EXPECT_EQ(both.source.from, "a text");
  const auto of = [&](Collective collective) { return *both.algorithms[static_cast<std::size_t>(collective)]; };
  EXPECT_EQ(algorithm_table()[of(Collective::bcast).algorithm].name, "binary");
  EXPECT_EQ(algorithm_table()[of(Collective::reduce).algorithm].name, "chain");
  EXPECT_EQ(of(Collective::reduce).segment, Bytes{2048});
  EXPECT_EQ(of(Collective::reduce).width, 3);
  const auto other = combined(platform, settings(R"({"mpi": {"collectives": "intel-mpi", "reduction": "2 ns/B"}})"));
  EXPECT_EQ(other.selector, Selector::intel_mpi);
  EXPECT_EQ(other.reduction, all_kinds(SecondsPerByte{2e-9}));
  EXPECT_EQ(other.source.from, "");
}

TEST(BenchmarkRoot, IsARankOfARootedOperation) {
  const auto errors = [](const char* workload, std::optional<std::size_t> ranks) {
    Faults faults("s.json");
    read_benchmark(nlohmann::json::parse(workload), ranks, nullptr, faults);
    return lines_of(faults.take());
  };
  EXPECT_EQ(errors(R"({"benchmark": "imb-bcast", "root": 3})", 4), "");
  EXPECT_EQ(errors(R"({"benchmark": "imb-bcast", "root": 4})", 4),
            "s.json: /workload/root: got 4, expected a rank from 0 to 3");
  EXPECT_EQ(errors(R"({"benchmark": "osu-allreduce", "root": 0})", 4),
            "s.json: /workload/root: osu-allreduce does not take this key");
  EXPECT_EQ(errors(R"({"benchmark": "osu-barrier", "sizes": [8]})", 4),
            "s.json: /workload/sizes: osu-barrier does not take this key");
  EXPECT_EQ(errors(R"({"benchmark": "imb-bcast"})", 1), "s.json: /ranks: got 1 rank for imb-bcast, expected 2 or more");
  EXPECT_EQ(errors(R"({"benchmark": "imb-bcast"})", std::nullopt), "");
}

} // namespace
} // namespace kakehashi
