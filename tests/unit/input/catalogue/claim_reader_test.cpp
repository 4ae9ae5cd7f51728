#include "input/catalogue/catalogue_reader.hpp"
#include "input/platform/platform_reader.hpp"
#include "input/platform/small_platform.hpp"
#include "scratch_folder.hpp"
#include "workload/collective/registry.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::vector<ClaimCase> claims(const std::string& entry, const std::map<std::string, Scenario>& scenarios = {}) {
  const auto platform = read(patched(small, eager + "/cap", R"("1 GB/s")"));
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

// Of an Alltoall on the FX10, which has a shipped scenario for the new library.
Result<std::vector<ClaimCase>> claim_of_alltoall(const std::string& rest, const std::string& sizes = R"("bytes": 8)") {
  const auto platform =
      std::make_shared<const Platform>(*read_platform(KAKEHASHI_SOURCE_DIR "/platforms/fx10-tofu.json"));
  Scenario scenario;
  scenario.platform = platform;
  scenario.workload = Benchmark{};
  const auto document =
      parse_json(R"({"p": [{"id": "a", "benchmark": "alltoall", "ratio_first_to_second_time": {"between": [1, 2]}, )" +
                     sizes + ", " + rest + "}]}",
                 "c.json");
  return read_claims(*document, {{"p", platform}}, {{"p/alltoall-new", scenario}});
}

TEST(Claims, CompareLibrariesAndAlgorithmsOnABox) {
  const auto found = claim_of_alltoall(
      R"("box": [8, 3, 2], "per_node": 4, "warm_up": 7, "compared": ["pairwise", "fujitsu-1.2.1-07"])");
  ASSERT_TRUE(found) << errors_of(found);
  const auto& runs = (*found)[0].runs;
  ASSERT_EQ(runs.size(), 2u);
  ASSERT_EQ(runs[0].ranks.size(), 192u);
  const auto device_of = [&](std::size_t rank) { return runs[0].platform->devices[runs[0].ranks[rank]].name; };
  EXPECT_EQ(device_of(3), "x0y0z0.cpu");
  EXPECT_EQ(device_of(4), "x1y0z0.cpu");
  EXPECT_EQ(device_of(191), "x7y2z1.cpu");
  EXPECT_EQ(std::get<Benchmark>(runs[1].workload).warm_up, 7);
  const auto named = runs[0].mpi.algorithms[static_cast<std::size_t>(Collective::alltoall)];
  ASSERT_TRUE(named);
  EXPECT_EQ(algorithm_table()[named->algorithm].name, "pairwise");
  EXPECT_EQ(runs[1].mpi.selector, Selector::fujitsu_07);
}

TEST(Claims, MayBeAboutSeveralSizes) {
  const auto with = [](const std::string& sizes) {
    return claim_of_alltoall(R"("box": [2, 1, 1], "per_node": 1, "compared": ["pairwise", "linear"])", sizes);
  };
  const auto found = with(R"("sizes": [8, 64])");
  ASSERT_TRUE(found) << errors_of(found);
  EXPECT_EQ(std::get<Benchmark>((*found)[0].runs[1].workload).sizes, (std::vector{Bytes{8}, Bytes{64}}));
  const auto fault = [&](const std::string& sizes) { return to_text(with(sizes).errors()[0]); };
  EXPECT_EQ(fault(R"("sizes": [])"), "c.json: /p/0/sizes: got an array, expected one size or more");
  EXPECT_EQ(fault(R"("sizes": [8], "bytes": 8)"), "c.json: /p/0/sizes: got an array, expected either sizes or bytes");
  EXPECT_EQ(fault(R"("sizes": [8, -1])"), "c.json: /p/0/sizes/1: got -1, expected a whole number from 0 on");
}

TEST(Claims, AreRefusedIfTheirBoxOrWhatTheyCompareIs) {
  const auto fault = [](const std::string& rest) {
    const auto found = claim_of_alltoall(rest);
    return found ? "none" : to_text(found.errors()[0]);
  };
  EXPECT_EQ(fault(R"("compared": ["pairwise", "ring"], "box": [1, 1, 1], "per_node": 1)"),
            "c.json: /p/0/compared/1: got \"ring\", expected decision tables, or an algorithm of alltoall");
  EXPECT_EQ(fault(R"("compared": ["pairwise", "bruck"], "box": [9, 1, 1], "per_node": 1)"),
            "c.json: /p/0/box/0: got 9, expected 1 to 8 nodes");
  EXPECT_EQ(fault(R"("compared": ["pairwise", "bruck"], "box": [8, 1, 1])"),
            "c.json: /p/0: the key \"per_node\" is missing");
  EXPECT_EQ(fault(R"("compared": ["pairwise"], "box": [8, 1, 1], "per_node": 1)"),
            "c.json: /p/0/compared: got an array, expected a list of 2");
}

TEST(Claims, OfACrossoverHaveTwoRuns) {
  const auto found = claims(R"({"id": "a", "benchmark": "crossover", "fabrics": ["f", "f"], "from": "n1.cpu",
                                "to": "n2.cpu", "first_wins_through_bytes": 64, "second_wins_from_bytes": null})");
  EXPECT_EQ(found[0].claim.comparison, Claim::Comparison::crossover);
  EXPECT_EQ(found[0].runs.size(), 2u);
  EXPECT_EQ(found[0].claim.low, 64);
  EXPECT_TRUE(std::isinf(found[0].claim.high));
}

TEST(Claims, NameABenchmarkAndItsWindow) {
  const auto found = claims(R"({"id": "a", "benchmark": "osu-bw", "fabric": "f", "from": "n1.cpu", "to": "n2.cpu",
                                "bytes": 8, "window": 1, "bandwidth_mb_s": {"between": [1, 2]}})");
  EXPECT_EQ(std::get<Benchmark>(found[0].runs[0].workload).name, "osu-bw");
  EXPECT_EQ(std::get<Benchmark>(found[0].runs[0].workload).window, 1);
}

TEST(Claims, CountTheirMegabytes) {
  const auto megabyte = [](const char* key) {
    const auto found = claims(std::string(R"({"id": "a", "benchmark": "pingpong", "fabric": "f", "from": "n1.cpu",
                                "to": "n2.cpu", "bytes": 8, ")") +
                              key + R"(": {"between": [1, 2]}})");
    return found[0].claim.megabyte;
  };
  EXPECT_EQ(megabyte("bandwidth_mb_s"), 1e6);
  EXPECT_EQ(megabyte("bandwidth_mib_s"), 0x1p20);
  EXPECT_EQ(megabyte("latency_us"), 1e6);
}

TEST(Claims, CompareAnEagerLimitWithThePlatforms) {
  const auto of = [](const char* fabric, const char* limit) {
    const auto document =
        parse_json(R"({"p": [{"id": "a", "benchmark": "pingpong", "from": "n1.cpu", "to": "n2.cpu", "bytes": 2048,
                              "ratio_first_to_second_time": {"between": [1, 2]}, "fabric": ")" +
                       std::string(fabric) + R"(", "eager_limit": ")" + limit + "\"}]}",
                   "c.json");
    return read_claims(*document, {{"p", std::make_shared<const Platform>(*read(small))}}, {});
  };
  const auto found = of("f", "4 KiB");
  ASSERT_TRUE(found) << errors_of(found);
  const auto& runs = (*found)[0].runs;
  ASSERT_EQ(runs.size(), 2u);
  const auto limit_of = [](const Scenario& run) { return run.platform->fabrics[0].rules[0].regimes[1].from; };
  EXPECT_EQ(limit_of(runs[0]), kib(4));
  EXPECT_EQ(limit_of(runs[1]), kib(1));
  EXPECT_EQ(std::get<Benchmark>(runs[0].workload).sizes, std::vector{kib(2)});
  EXPECT_EQ(to_text(of("f", "many").errors()[0]),
            "c.json: /p/0/eager_limit: got \"many\", expected a size, on a fabric with regimes of one trip and regimes "
            "of more");
  EXPECT_EQ((*of("g", "4 KiB"))[0].fault, "got no fabric g in p.json, expected it for the claim a");
}

// Of boss and workers on the small platform, with a scenario of one device of workers.
Result<std::vector<ClaimCase>> claim_of_workers(const std::string& rest) {
  const auto platform = std::make_shared<const Platform>(*read(small));
  Scenario scenario;
  scenario.platform = platform;
  scenario.ranks = {0, 0};
  scenario.workload = BossWorker{};
  const auto document = parse_json(
      R"({"p": [{"id": "a", "benchmark": "boss-worker", "bytes": 32, "devices": 1, )" + rest + "}]}", "c.json");
  return read_claims(*document, {{"p", platform}}, {{"p/one", scenario}});
}

TEST(Claims, CompareFabricsOrWorkItems) {
  const auto of = [](const std::string& rest) {
    std::vector<std::pair<std::string, std::uint64_t>> runs;
    const auto found = claim_of_workers(rest);
    EXPECT_TRUE(found) << errors_of(found);
    for (const auto& run : (*found)[0].runs)
      runs.emplace_back(run.fabric, std::get<BossWorker>(run.workload).work_items.at(0));
    return runs;
  };
  using Runs = std::vector<std::pair<std::string, std::uint64_t>>;
  EXPECT_EQ(of(R"("work_item": 7, "ratio_dapl_to_tcp_throughput": {"between": [1, 2]})"),
            (Runs{{"dapl", 7}, {"tcp", 7}}));
  EXPECT_EQ(of(R"("work_items": [7, 9], "fabric": "f", "ratio_first_to_second_time": {"between": [1, 2]})"),
            (Runs{{"f", 7}, {"f", 9}}));
}

TEST(Claims, CompareShippedScenarios) {
  const auto found = claim_of_workers(R"("scenarios": ["one", "one"],
                                         "ratio_first_to_second_throughput": {"between": [1, 2]})");
  ASSERT_TRUE(found) << errors_of(found);
  EXPECT_EQ((*found)[0].runs.size(), 2u);
  EXPECT_EQ((*found)[0].claim.number, Claim::Number::throughput);
  const auto other = claim_of_workers(R"("scenarios": ["one", "two"],
                                         "ratio_first_to_second_throughput": {"between": [1, 2]})");
  EXPECT_EQ(to_text(other.errors()[0]), "c.json: /p/0/scenarios: got an array, expected names of scenarios of p");
}

TEST(Claims, SayWhatThePlatformLacks) {
  const auto found = claims(R"({"id": "a", "benchmark": "pingpong", "fabric": "g", "from": "n1.cpu", "to": "n2.cpu",
                                "bytes": 8, "latency_us": {"between": [1, 2]}})");
  EXPECT_EQ(found[0].fault, "got no fabric g in p.json, expected it for the claim a");
}

TEST(Claims, DeclareTheirRoles) {
  const auto of = [](const std::string& more) {
    return claims(R"({"id": "a", "benchmark": "pingpong", "fabric": "f", "from": "n1.cpu", "to": "n2.cpu", "bytes": 8,
                      "latency_us": {"between": [1, 2]})" +
                  more + "}")[0]
        .claim;
  };
  EXPECT_FALSE(of("").role);
  EXPECT_FALSE(of("").is_implied);
  EXPECT_EQ(of(R"(, "role": "prediction", "assumed": true)").role, Role::prediction);
  EXPECT_TRUE(of(R"(, "assumed": true)").is_implied);
  const auto turned = of(R"(, "turned_by": [{"parameter": "/peer_limits/0 rate", "factor": 0.1}])").turned_by;
  ASSERT_EQ(turned.size(), 1u);
  EXPECT_EQ(turned[0].name, "/peer_limits/0 rate");
  EXPECT_EQ(turned[0].factor, 0.1);
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
            "bandwidth_mb_s, bandwidth_mib_s, slowest_link_mib_s, bandwidth_ratio, difference_us, "
            "ratio_dapl_to_tcp_throughput, "
            "ratio_first_to_second_throughput, ratio_old_to_new_time, ratio_first_to_second_time");
}

TEST(Claims, AreRefusedIfTheirRolesAre) {
  EXPECT_EQ(fault_of(R"({"p": [{"id": "a", "role": "guess"}]})"),
            "c.json: /p/0/role: got \"guess\", expected one of input, fit, prediction, ordering");
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
  EXPECT_EQ(
      fault(R"("benchmark": "dance")"),
      "c.json: /p/0/benchmark: got \"dance\", expected pingpong, ring, rma, crossover, boss-worker, or a benchmark "
      "that scenarios may name");
  EXPECT_EQ(fault(R"("benchmark": "pingpong", "bytes": 1.5)"),
            "c.json: /p/0/bytes: got 1.5, expected a whole number from 0 on");
  EXPECT_EQ(fault(R"("benchmark": "pingpong", "bytes": 2251799813685248)"),
            "c.json: /p/0/bytes: got 2251799813685248, expected at most 1 PiB");
  EXPECT_EQ(fault(R"("benchmark": "pingpong", "bytes": 1, "fabric": "f", "from": "n1.cpu")"),
            "c.json: /p/0: the key \"to\" is missing");
  EXPECT_EQ(fault(R"("benchmark": "pingpong", "bytes": 1, "fabric": "f", "pairs": [["n1.cpu"]])", "bandwidth_ratio"),
            "c.json: /p/0/pairs/0: got an array, expected a list of 2");
  EXPECT_EQ(fault(R"("benchmark": "pingpong", "bytes": 1, "fabrics": ["f"], "from": "n1.cpu", "to": "n2.cpu")",
                  "bandwidth_ratio"),
            "c.json: /p/0: got an object, expected what gives 2 runs, not 1");
  EXPECT_EQ(fault(R"("benchmark": "ring", "bytes": 1, "fabric": "f", "closed": true, "order": ["n1.cpu"])"),
            "c.json: /p/0/order: got an array, expected two devices or more");
  EXPECT_EQ(fault(R"("benchmark": "ring", "bytes": 1, "fabric": "f", "closed": 1, "order": ["n1.cpu", "n2.cpu"])"),
            "c.json: /p/0/closed: got 1, expected true or false");
}

TEST(Targets, AreRefusedIfTheyAreBroken) {
  const auto root = scratch_folder() / "targets";
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
