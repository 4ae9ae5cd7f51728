#include "input/json/patched.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "scratch_folder.hpp"
#include "workload/benchmark/kind.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kakehashi {
namespace {

using nlohmann::json;

const auto platform = json::parse(R"({
  "name": "p",
  "devices": [{"name": "a", "kind": "cpu"}, {"name": "b", "kind": "gpu"}, {"name": "far", "kind": "switch"}],
  "links": [{"between": ["a", "b"], "type": "pcie", "generation": 3, "lanes": 16}],
  "fabrics": {"direct": {"links": ["pcie"], "rules": [{"regimes": [{"from": "0 B"}]}]}}})");

const auto small = json::parse(R"({
  "name": "s", "platform": "p.json", "fabric": "direct", "ranks": ["a", "b"],
  "workload": {"benchmark": "imb-pingpong", "sizes": ["8 B"]}})");

const auto with_steps = json::parse(R"({
  "name": "s", "platform": "p.json", "fabric": "direct", "ranks": ["a", "b"],
  "workload": {"steps": [[{"do": "isend", "to": 1, "bytes": "8 B"}, {"do": "wait", "request": 0}],
                         [{"do": "recv", "from": 0}]]}})");

// The working folder is a temporary one, so that messages name short files.
class Scenarios : public testing::Test {
protected:
  Scenarios() : before_(std::filesystem::current_path()) {
    const auto folder = scratch_folder() / "scenario";
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
    write("p.json", platform.dump());
  }
  ~Scenarios() override {
    const auto folder = std::filesystem::current_path();
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder);
  }

  static void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }
  static Result<Scenario> read(const json& root) {
    write("s.json", root.dump());
    return read_scenario("s.json");
  }
  static void expect_errors(const json& base, const std::vector<Reject>& table) {
    for (const auto& [place, value, errors] : table)
      EXPECT_EQ(errors_of(read(patched(base, place, value))), errors) << place << " = " << value;
  }

private:
  std::filesystem::path before_;
};

TEST_F(Scenarios, AreRefusedForTheirFields) {
  write("broken.json", "{");
  write("bad.json", patched(platform, "/name", "\"p q\"").dump());
  write("c.csv", "bytes,latency_us\n8\n");
  expect_errors(
      small,
      {{"", "{}",
        "s.json: the key \"name\" is missing\n"
        "s.json: the key \"platform\" is missing\n"
        "s.json: the key \"fabric\" is missing\n"
        "s.json: the key \"ranks\" is missing\n"
        "s.json: the key \"workload\" is missing"},
       {"", "3", "s.json: got 3, expected an object"},
       {"/nam", "\"s\"",
        "s.json: /nam: got an unknown key, expected one of \"$schema\", \"description\", \"fabric\", \"mpi\", "
        "\"name\", "
        "\"platform\", \"ranks\", \"reference\", \"sweep\", \"what_if\", \"workload\" (did you mean \"name\"?)"},
       {"/name", "\"s/t\"", "s.json: /name: got \"s/t\", expected a name of letters, digits, '-' and '_'"},
       {"/platform", "\"q.json\"", "q.json: no such file"},
       {"/platform", "\"\\u0000\"", "s.json: /platform: got \"\\u0000\", expected a text that is not empty"},
       {"/platform", "\"../\"", "..: not a regular file"},
       {"/platform", "\"broken.json\"",
        "broken.json: line 1, column 2: not JSON: syntax error while parsing object key - unexpected end of input; "
        "expected string literal"},
       {"/platform", "\"bad.json\"", "bad.json: /name: got \"p q\", expected a name of letters, digits, '-' and '_'"},
       {"/fabric", "\"drect\"",
        "s.json: /fabric: got \"drect\", expected a fabric of p.json: direct (did you mean \"direct\"?)"},
       {"/fabric", "\"\\u0000\"", "s.json: /fabric: got \"\\u0000\", expected a fabric of p.json: direct"},
       {"/ranks", "[]", "s.json: /ranks: got 0 items, expected at least 1"},
       {"/ranks/0", "\"aa\"", "s.json: /ranks/0: got \"aa\", expected a device of p.json: a, b (did you mean \"a\"?)"},
       {"/ranks/0", "\"far\"", "s.json: /ranks/0: got \"far\" of kind switch, expected a cpu, coprocessor, gpu or dpu"},
       {"/ranks/0", "7", "s.json: /ranks/0: got 7, expected a string"},
       {"/reference", R"({"curve": "none.csv", "use": "prediction"})", "none.csv: no such file"},
       {"/reference", R"({"curve": "c.csv", "use": "prediction"})", "c.csv: line 2: got 1 column, expected 2"},
       {"/reference", R"({"curve": "c.csv", "use": "guess"})",
        "s.json: /reference/use: got \"guess\", expected one of \"calibration\", \"prediction\""},
       {"/reference", R"({"curve": "c.csv"})", "s.json: /reference: the key \"use\" is missing"}});
}

TEST_F(Scenarios, AreRefusedForTheirBenchmark) {
  expect_errors(
      small,
      {{"/workload", "{}",
        "s.json: /workload: got an empty object, expected one of \"benchmark\", \"boss_worker\", \"gpu\", \"grid\", "
        "\"inference\", \"megabyte\", "
        "\"repetitions\", \"replay\", \"root\", \"sizes\", \"steps\", \"training\", \"warm_up\", \"window\""},
       {"/workload", "[]", "s.json: /workload: got an array, expected an object"},
       {"/workload/benchmark", "",
        "s.json: /workload: got none of \"benchmark\", \"steps\", \"boss_worker\", \"replay\", \"training\" and "
        "\"inference\", expected exactly "
        "one"},
       {"/workload/steps", "[[], []]",
        "s.json: /workload: got several of \"benchmark\", \"steps\", \"boss_worker\", \"replay\", \"training\" and "
        "\"inference\", expected exactly "
        "one"},
       {"/workload/benchmark", "\"imb-pingpnog\"",
        fmt::format("s.json: /workload/benchmark: got \"imb-pingpnog\", expected one of \"{}\" (did you mean "
                    "\"imb-pingpong\"?)",
                    fmt::join(benchmark_names(), "\", \""))},
       {"/workload/window", "8",
        "s.json: /workload/window: imb-pingpong does not take this key; osu-bw and osu-bibw do"},
       {"/workload/grid", "[1, 2]", "s.json: /workload/grid: imb-pingpong does not take this key; halo-2d does"},
       {"/workload", R"({"benchmark": "halo-2d", "grid": [2, 2]})",
        "s.json: /workload/grid: got 2 rows of 2 ranks, expected a grid of 2 ranks"},
       {"/workload/window", "0", "s.json: /workload/window: got 0, expected a whole number from 1 to 4096"},
       {"/workload/megabyte", "\"1 MB\"",
        "s.json: /workload/megabyte: got \"1 MB\", expected one of \"10^6 B\", \"2^20 B\""},
       {"/workload/repetitions", "1000001",
        "s.json: /workload/repetitions: got 1000001, expected a whole number from 1 to 1000000"},
       {"/workload/warm_up", "-1", "s.json: /workload/warm_up: got -1, expected a whole number from 0 to 1000"},
       {"/workload/sizes", "[]", "s.json: /workload/sizes: got 0 items, expected at least 1"},
       {"/workload/sizes", R"(["8", "8"])",
        "s.json: /workload/sizes/0: got \"8\", expected a size such as \"64 KiB\" or \"4 B\"\n"
        "s.json: /workload/sizes/1: got \"8\", expected a size such as \"64 KiB\" or \"4 B\""},
       {"/workload/sizes", R"(["1 KiB", 1024])", "s.json: /workload/sizes/1: got 1024 twice, expected each only once"},
       {"/workload/sizes/0", "-1",
        "s.json: /workload/sizes/0: got -1, expected a whole number from 0 to 1125899906842624"},
       {"/workload/sizes/0", "1.5", "s.json: /workload/sizes/0: got 1.5, expected a string or a whole number"},
       {"/workload/sizes/0", "18446744073709551615",
        "s.json: /workload/sizes/0: got 18446744073709551615, expected a whole number from 0 to 1125899906842624"},
       {"/workload/sizes/0", "\"2 PiB\"",
        "s.json: /workload/sizes/0: got \"2 PiB\", expected a size such as \"64 KiB\" or \"4 B\""},
       {"/ranks/-", "\"a\"", "s.json: /ranks: got 3 ranks for imb-pingpong, expected 2"},
       {"/workload", R"({"benchmark": "imb-exchange", "window": 4})",
        "s.json: /workload/window: imb-exchange does not take this key; osu-bw and osu-bibw do"}});
  expect_errors(patched(small, "/workload/benchmark", "\"imb-sendrecv\""),
                {{"/ranks", "[\"a\"]", "s.json: /ranks: got 1 rank for imb-sendrecv, expected 2 or more"}});
}

TEST_F(Scenarios, AreRefusedForTheirSteps) {
  const std::string first = "/workload/steps/0/0";
  expect_errors(
      with_steps,
      {{"/workload/steps/-", "[]", "s.json: /workload/steps: got 3 lists, expected 2, one for each rank"},
       {"/workload/steps", "[[]]", "s.json: /workload/steps: got 1 list, expected 2, one for each rank"},
       {"/workload/window", "4", "s.json: /workload: got \"steps\" with keys of a benchmark, expected it alone"},
       {"/reference", R"({"curve": "c.csv", "use": "prediction"})",
        "s.json: /reference: got a reference for a workload that is not a benchmark, expected a benchmark"},
       {first + "/do", "\"sned\"",
        "s.json: /workload/steps/0/0/do: got \"sned\", expected one of \"send\", \"isend\", \"recv\", \"irecv\", "
        "\"wait\", \"waitall\", \"sendrecv\", \"compute\" (did you mean \"send\"?)"},
       {first + "/do", "", "s.json: /workload/steps/0/0: the key \"do\" is missing"},
       {first, "[]", "s.json: /workload/steps/0/0: got an array, expected an object"},
       {first + "/to", "", "s.json: /workload/steps/0/0: the key \"to\" is missing; isend needs it"},
       {first + "/bytes", "", "s.json: /workload/steps/0/0: the key \"bytes\" is missing; isend needs it"},
       {first + "/time", "\"1 us\"", "s.json: /workload/steps/0/0/time: isend does not take this key"},
       {first + "/bytes", "\"8\"",
        "s.json: /workload/steps/0/0/bytes: got \"8\", expected a size such as \"64 KiB\" or \"4 B\""},
       {first + "/tag", "\"any\"", "s.json: /workload/steps/0/0/tag: got \"any\", expected a tag"},
       {first + "/tag", "-1", "s.json: /workload/steps/0/0/tag: got -1, expected a whole number from 0 to 2147483647"},
       {first + "/to", "2", "s.json: /workload/steps/0/0/to: got 2, expected a rank from 0 to 1"},
       {first + "/to", "\"any\"", "s.json: /workload/steps/0/0/to: got \"any\", expected a whole number"},
       {first + "/to", "4294967297",
        "s.json: /workload/steps/0/0/to: got 4294967297, expected a whole number from 0 to 2147483647"},
       {first + "/to", "18446744073709551615",
        "s.json: /workload/steps/0/0/to: got 18446744073709551615, expected a whole number from 0 to 2147483647"},
       {"/workload/steps/1/0/from", "\"all\"",
        "s.json: /workload/steps/1/0/from: got \"all\", expected a rank from 0 to 1 or \"any\""},
       {"/workload/steps/1/0/from", "9", "s.json: /workload/steps/1/0/from: got 9, expected a rank from 0 to 1"},
       {"/workload/steps/1/0/tag", "\"all\"",
        "s.json: /workload/steps/1/0/tag: got \"all\", expected a tag or \"any\""},
       {"/workload/steps/0/1/request", "1",
        "s.json: /workload/steps/0/1/request: got 1, expected a request from 0 to 0"},
       {"/workload/steps/0/1/request", "4294967296",
        "s.json: /workload/steps/0/1/request: got 4294967296, expected a whole number from 0 to 2147483647"},
       {"/workload/steps/0/1/request", "",
        "s.json: /workload/steps/0/1: the key \"request\" is missing; wait needs it"},
       {"/workload/steps/1/-", R"({"do": "wait", "request": 0})",
        "s.json: /workload/steps/1/1/request: got 0, expected an isend or irecv before it"},
       {"/workload/steps/1/-", R"({"do": "compute"})",
        "s.json: /workload/steps/1/1: the key \"time\" is missing; compute needs it"},
       {"/workload/steps/1/-", R"({"do": "compute", "time": "1"})",
        "s.json: /workload/steps/1/1/time: got \"1\", expected a time such as \"0.65 us\" or \"2 ms\""},
       {"/workload/steps/1/-", R"({"do": "waitall", "request": 0})",
        "s.json: /workload/steps/1/1/request: waitall does not take this key"}});
}

// The engine has no path from a rank to itself.
TEST_F(Scenarios, AreRefusedIfARankSendsToItself) {
  expect_errors(with_steps,
                {{"/workload/steps/0/-", R"({"do": "send", "to": 0, "bytes": 8})",
                  "s.json: /workload/steps/0/2/to: got 0, which is the rank itself, expected another rank"},
                 {"/workload/steps/0/0/to", "0",
                  "s.json: /workload/steps/0/0/to: got 0, which is the rank itself, expected another rank"},
                 {"/workload/steps/0/-", R"({"do": "sendrecv", "to": 0, "from": 1, "bytes": 8})",
                  "s.json: /workload/steps/0/2/to: got 0, which is the rank itself, expected another rank"},
                 {"/workload/steps/1/0/from", "1",
                  "s.json: /workload/steps/1/0/from: got 1, which is the rank itself, expected another rank"}});
}

TEST_F(Scenarios, TellAllFaultsInDocumentOrder) {
  write("s.json", R"({"workload": {"sizes": ["8", 8, 8], "benchmark": "osu-bw"}, "ranks": ["c", "a", "far"],
                      "name": "s t", "platform": "p.json", "fabric": "f",
                      "reference": {"curve": "none.csv", "use": "prediction"}})");
  EXPECT_EQ(errors_of(read_scenario("s.json")),
            "s.json: /workload/sizes/0: got \"8\", expected a size such as \"64 KiB\" or \"4 B\"\n"
            "s.json: /workload/sizes/2: got 8 twice, expected each only once\n"
            "s.json: /ranks: got 3 ranks for osu-bw, expected 2\n"
            "s.json: /ranks/0: got \"c\", expected a device of p.json: a, b (did you mean \"a\"?)\n"
            "s.json: /ranks/2: got \"far\" of kind switch, expected a cpu, coprocessor, gpu or dpu\n"
            "s.json: /name: got \"s t\", expected a name of letters, digits, '-' and '_'\n"
            "s.json: /fabric: got \"f\", expected a fabric of p.json: direct\n"
            "none.csv: no such file");
}

TEST_F(Scenarios, TakeEveryBenchmark) {
  for (const auto& name : benchmark_names()) {
    const auto scenario = read(patched(small, "/workload", "{\"benchmark\": \"" + name + "\"}"));
    ASSERT_EQ(errors_of(scenario), "no errors") << name;
    const auto& benchmark = std::get<Benchmark>(scenario->workload);
    EXPECT_EQ(benchmark.name, name);
    EXPECT_EQ(benchmark.megabyte, name.starts_with("imb") ? 1048576 : 1e6) << name;
    EXPECT_EQ(benchmark.repetitions, std::nullopt);
    EXPECT_EQ(benchmark.window, 64);
  }
}

TEST_F(Scenarios, TakeTheUsualSizesOfEachBenchmark) {
  const auto sizes = [](const std::string& name) {
    const auto scenario = read(patched(small, "/workload", "{\"benchmark\": \"" + name + "\"}"));
    std::vector<std::uint64_t> ends;
    const auto& all = std::get<Benchmark>(scenario->workload).sizes;
    for (const auto size : {all.front(), all[all.size() > 1], all.back()})
      ends.push_back(size.count);
    return ends;
  };
  using Ends = std::vector<std::uint64_t>; // the first two and the last
  EXPECT_EQ(sizes("imb-pingpong"), (Ends{0, 1, 4 << 20}));
  EXPECT_EQ(sizes("osu-latency"), (Ends{0, 1, 4 << 20}));
  EXPECT_EQ(sizes("osu-bw"), (Ends{1, 2, 4 << 20}));
  EXPECT_EQ(sizes("imb-bcast"), (Ends{0, 1, 4 << 20}));
  EXPECT_EQ(sizes("imb-allreduce"), (Ends{0, 4, 4 << 20}));
  EXPECT_EQ(sizes("imb-barrier"), (Ends{0, 0, 0}));
  EXPECT_EQ(sizes("osu-alltoall"), (Ends{1, 2, 1 << 20}));
  EXPECT_EQ(sizes("osu-reduce-scatter"), (Ends{4, 8, 1 << 20}));
}

TEST_F(Scenarios, LimitOsuSizesToTheMemoryThatItUses) {
  const auto root = patched(small, "/workload", R"({"benchmark": "osu-allgather"})");
  const auto scenario = read(patched(root, "/ranks", R"({"on": ["a", "b"], "per_device": 1024})"));
  ASSERT_EQ(errors_of(scenario), "no errors");
  EXPECT_EQ(std::get<Benchmark>(scenario->workload).sizes.back(), Bytes{256 << 10}); // 512 MiB over 2048 ranks
}

TEST_F(Scenarios, TakeTheFieldsOfABenchmark) {
  write("c.csv", "bytes,mbytes_per_s\n8,2\n");
  auto root = patched(small, "/workload", R"({"benchmark": "osu-bw", "sizes": ["0 B", 8, "1 KiB", 1125899906842624],
                                              "window": 1, "repetitions": 3, "warm_up": 0,
                                              "megabyte": "2^20 B"})");
  root["reference"] = {{"curve", "c.csv"}, {"use", "calibration"}};
  const auto scenario = read(root);
  ASSERT_EQ(errors_of(scenario), "no errors");
  const auto& benchmark = std::get<Benchmark>(scenario->workload);
  EXPECT_EQ(benchmark.sizes, (std::vector<Bytes>{{0}, {8}, {1024}, {1125899906842624}}));
  EXPECT_EQ(benchmark.window, 1);
  EXPECT_EQ(benchmark.repetitions, 3);
  EXPECT_EQ(benchmark.warm_up, 0);
  EXPECT_EQ(benchmark.megabyte, 1048576);
  EXPECT_EQ(scenario->ranks, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(scenario->reference->use, CurveUse::calibration);
  EXPECT_EQ(scenario->reference->curve.at(Bytes{8}), 2);
}

TEST_F(Scenarios, TakeStepsOfEveryKind) {
  const auto scenario = read(patched(with_steps, "/workload/steps/0", R"([
    {"do": "send", "to": 1, "bytes": 0}, {"do": "isend", "to": 1, "bytes": "1 KiB", "tag": 2147483647},
    {"do": "recv", "from": "any", "tag": "any"}, {"do": "irecv", "from": 1, "tag": 0, "bytes": 8},
    {"do": "wait", "request": 1}, {"do": "waitall"},
    {"do": "sendrecv", "to": 1, "from": "any", "bytes": "8 B"}, {"do": "compute", "time": "2 us"}])"));
  ASSERT_EQ(errors_of(scenario), "no errors");
  const auto& steps = std::get<StepProgram>(scenario->workload).steps[0];
  ASSERT_EQ(steps.size(), step_names.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    EXPECT_EQ(steps[i].kind, static_cast<Step::Kind>(i));
  EXPECT_EQ(steps[1].size, Bytes{1024});
  EXPECT_EQ(steps[1].tag, 2147483647);
  EXPECT_EQ(steps[2].from, std::nullopt);
  EXPECT_EQ(steps[2].tag, std::nullopt);
  EXPECT_EQ(steps[3].tag, 0);
  EXPECT_EQ(steps[4].request, 1);
  EXPECT_EQ(steps[7].time, microseconds(2));
}

TEST_F(Scenarios, AreToldFromPlatforms) {
  write("s.json", small.dump());
  EXPECT_TRUE(std::holds_alternative<Scenario>(*read_any("s.json")));
  EXPECT_TRUE(std::holds_alternative<Platform>(*read_any("p.json")));
  write("x.json", "[]");
  EXPECT_EQ(errors_of(read_any("x.json")),
            "x.json: got neither \"fabrics\" nor \"workload\", expected a platform or a scenario");
  EXPECT_EQ(errors_of(read_scenario("none.json")), "none.json: no such file");
}

} // namespace
} // namespace kakehashi
