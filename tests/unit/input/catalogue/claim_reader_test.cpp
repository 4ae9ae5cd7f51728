#include "input/catalogue/catalogue_reader.hpp"
#include "input/platform/small_platform.hpp"

#include <cmath>
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

TEST(Claims, AreRefusedIfTheyAreBroken) {
  const auto document = parse_json(R"({"p": [{"benchmark": "pingpong"}]})", "c.json");
  EXPECT_FALSE(read_claims(*document, {}, {}));
}

} // namespace
} // namespace kakehashi
