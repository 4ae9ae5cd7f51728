#include "input/catalogue/catalogue_reader.hpp"
#include "input/platform/small_platform.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::vector<ClaimCase> claims(const std::string& entry, const std::map<std::string, Scenario>& scenarios = {}) {
  const auto platform = read(small);
  const auto document = parse_json(R"({"note": "text", "p": [)" + entry + R"(], "q": [)" + entry + "]}", "c.json");
  auto found = read_claims(*document, {{"p", std::make_shared<const Platform>(*platform)}}, scenarios);
  EXPECT_TRUE(found) << errors_of(found);
  return found ? std::move(*found) : std::vector<ClaimCase>{};
}

TEST(Claims, AreRunsOnTheirPlatform) {
  const auto found = claims(R"({"id": "a", "benchmark": "pingpong", "fabric": "f", "from": "n1.cpu", "to": "n2.cpu",
                                "bytes": 8, "latency_us": {"between": [1, 2]}})");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].claim.low, 1);
  EXPECT_EQ(found[0].claim.high, 2);
  ASSERT_EQ(found[0].runs.size(), 1u);
  EXPECT_EQ(std::get<Benchmark>(found[0].runs[0].workload).sizes, std::vector{Bytes{8}});
  EXPECT_EQ(found[1].pending, "the platform does not exist yet");
}

TEST(Claims, AskTheInitiatorToWriteOrRead) {
  const auto of = [](const char* initiator) {
    const auto found = claims(std::string(R"({"id": "a", "benchmark": "rma", "fabric": "f", "from": "n1.cpu",
                                "to": "n2.cpu", "bytes": 64, "latency_us": {"between": [1, 2]}, "initiator": ")") +
                              initiator + "\"}");
    return std::get<Benchmark>(found[0].runs[0].workload).name;
  };
  EXPECT_EQ(of("n1.cpu"), "osu-put-latency");
  EXPECT_EQ(of("n2.cpu"), "osu-get-latency");
}

TEST(Claims, OfACrossoverHaveTwoRuns) {
  const auto found = claims(R"({"id": "a", "benchmark": "crossover", "fabrics": ["f", "f"], "from": "n1.cpu",
                                "to": "n2.cpu", "first_wins_through_bytes": 64, "second_wins_from_bytes": null})");
  EXPECT_EQ(found[0].claim.comparison, Claim::Comparison::crossover);
  EXPECT_EQ(found[0].runs.size(), 2u);
  EXPECT_EQ(found[0].claim.low, 64);
  EXPECT_TRUE(std::isinf(found[0].claim.high));
}

TEST(Claims, SayWhatThePlatformLacks) {
  const auto found = claims(R"({"id": "a", "benchmark": "pingpong", "fabric": "g", "from": "n1.cpu", "to": "n2.cpu",
                                "bytes": 8, "latency_us": {"between": [1, 2]}})");
  EXPECT_EQ(found[0].fault, "got no fabric g in p.json, expected it for the claim a");
}

TEST(Claims, OfUnknownBenchmarksArePending) {
  const auto found = claims(R"({"id": "a", "benchmark": "dance", "latency_us": {"between": [1, 2]}})");
  EXPECT_EQ(found[0].pending, "the benchmark dance does not exist yet");
}

std::string fault_of(const std::string& text) {
  const auto document = parse_json(text, "c.json");
  const auto found = read_claims(*document, {{"p", std::make_shared<const Platform>(*read(small))}}, {});
  return found ? "none" : to_text(found.errors()[0]);
}

TEST(Claims, AreRefusedIfTheyAreBroken) {
  EXPECT_EQ(fault_of("[]"), "c.json: got an array, expected an object");
  EXPECT_EQ(fault_of(R"({"p": {}})"), "c.json: /p: got an object, expected a list");
  EXPECT_EQ(fault_of(R"({"p": [1]})"), "c.json: /p/0: got 1, expected an object");
  EXPECT_EQ(fault_of(R"({"p": [{"benchmark": "pingpong"}]})"), "c.json: /p/0: the key \"id\" is missing");
  EXPECT_EQ(fault_of(R"({"p": [{"id": 7}]})"), "c.json: /p/0/id: got 7, expected a text");
  EXPECT_EQ(fault_of(R"({"p": [{"id": "a"}]})"),
            "c.json: /p/0: got an object, expected a claim with one of first_wins_through_bytes, latency_us, "
            "bandwidth_mb_s, slowest_link_mb_s, bandwidth_ratio, difference_us, ratio_dapl_to_tcp_throughput, "
            "ratio_old_to_new_time");
}

TEST(Claims, AreRefusedIfTheirBoundsAre) {
  const auto fault = [](const std::string& bound) { return fault_of(R"({"q": [{"id": "a", )" + bound + "}]}"); };
  EXPECT_EQ(fault(R"("latency_us": [1, 2])"), "c.json: /q/0/latency_us: got an array, expected an object");
  EXPECT_EQ(fault(R"("latency_us": {})"), "c.json: /q/0/latency_us: the key \"between\" is missing");
  EXPECT_EQ(fault(R"("latency_us": {"between": [1]})"),
            "c.json: /q/0/latency_us/between: got an array, expected a list of 2");
  EXPECT_EQ(fault(R"("latency_us": {"between": [1, "2"]})"),
            "c.json: /q/0/latency_us/between/1: got \"2\", expected a number");
  EXPECT_EQ(fault(R"("latency_us": {"between": [2, 1]})"),
            "c.json: /q/0/latency_us/between: got an array, expected the lower bound first");
  EXPECT_EQ(fault(R"("first_wins_through_bytes": -1)"),
            "c.json: /q/0/first_wins_through_bytes: got -1, expected a whole number from 0 on");
  EXPECT_EQ(fault(R"("first_wins_through_bytes": 1)"), "c.json: /q/0: the key \"second_wins_from_bytes\" is missing");
}

TEST(Claims, AreRefusedIfTheirRunsAre) {
  const auto fault = [](const std::string& rest, const char* bound = "latency_us") {
    return fault_of(R"({"p": [{"id": "a", ")" + std::string(bound) + R"(": {"between": [1, 2]}, )" + rest + "}]}");
  };
  EXPECT_EQ(fault(R"("benchmark": "pingpong", "bytes": 1.5)"),
            "c.json: /p/0/bytes: got 1.5, expected a whole number from 0 on");
  EXPECT_EQ(fault(R"("benchmark": "pingpong", "bytes": 2251799813685248)"),
            "c.json: /p/0/bytes: got 2251799813685248, expected at most 1 PiB");
  EXPECT_EQ(fault(R"("benchmark": "pingpong", "bytes": 1, "fabric": "f", "from": "n1.cpu")"),
            "c.json: /p/0: the key \"to\" is missing");
  EXPECT_EQ(fault(R"("benchmark": "ratio", "bytes": 1, "fabric": "f", "pairs": [["n1.cpu"]])", "bandwidth_ratio"),
            "c.json: /p/0/pairs/0: got an array, expected a list of 2");
  EXPECT_EQ(fault(R"("benchmark": "ratio", "bytes": 1, "fabrics": ["f"], "from": "n1.cpu", "to": "n2.cpu")",
                  "bandwidth_ratio"),
            "c.json: /p/0: got an object, expected what gives 2 runs, not 1");
  EXPECT_EQ(fault(R"("benchmark": "ring", "bytes": 1, "fabric": "f", "closed": true, "order": ["n1.cpu"])"),
            "c.json: /p/0/order: got an array, expected two devices or more");
  EXPECT_EQ(fault(R"("benchmark": "ring", "bytes": 1, "fabric": "f", "closed": 1, "order": ["n1.cpu", "n2.cpu"])"),
            "c.json: /p/0/closed: got 1, expected true or false");
}

TEST(Targets, AreRefusedIfTheyAreBroken) {
  const auto root = std::filesystem::path(testing::TempDir()) / "targets-test";
  std::filesystem::create_directories(root / "scenarios" / "reference");
  const auto file = (root / "scenarios" / "reference" / "targets.json").string();
  const auto fault = [&](const std::string& text) {
    std::ofstream(file) << text;
    const auto found = read_catalogue(root.string(), "all");
    return found ? "none" : to_text(found.errors()[0]).substr(file.size());
  };
  EXPECT_EQ(fault("[]"), ": got an array, expected an object");
  EXPECT_EQ(fault(R"({"p": []})"), ": /p: got an array, expected an object");
  EXPECT_EQ(fault(R"({"p": {"c": {"mean": 0.1}}})"), ": /p/c: the key \"from_bytes\" is missing");
  EXPECT_EQ(fault(R"({"p": {"c": {"mean": "0.1", "from_bytes": 0}}})"), ": /p/c/mean: got \"0.1\", expected a number");
  EXPECT_EQ(fault(R"({"p": {"c": {"mean": 0.1, "from_bytes": 0, "outlier_bytes": 1}}})"),
            ": /p/c/outlier_bytes: got 1, expected a list");
}

} // namespace
} // namespace kakehashi
