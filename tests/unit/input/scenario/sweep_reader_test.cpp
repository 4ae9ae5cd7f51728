#include "input/json/patched.hpp"
#include "input/scenario/scenario_reader.hpp"
#include "scratch_folder.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kakehashi {
namespace sweep_reader_test {

using nlohmann::json;

const auto platform = json::parse(R"({
  "name": "p",
  "devices": [{"name": "a", "kind": "cpu"}, {"name": "b1", "kind": "gpu"}, {"name": "b2", "kind": "gpu"}],
  "links": [{"between": ["a", "b1"], "type": "pcie", "generation": 3, "lanes": 16},
            {"between": ["a", "b2"], "type": "pcie", "generation": 3, "lanes": 16}],
  "fabrics": {"direct": {"links": ["pcie"], "rules": [{"regimes": [{"from": "0 B", "cap": "1 GB/s"}]}]}}})");

const auto small = json::parse(R"({
  "name": "s", "platform": "p.json", "fabric": "direct", "ranks": ["a", "b1", "b2"],
  "workload": {"benchmark": "ring", "sizes": ["8 B"]},
  "sweep": {"vary": [{"order": "ranks"}]}})");

const std::string vary = "/sweep/vary";
const std::string cap = "platform:/fabrics/direct/rules/0/regimes/0/cap";

// The working folder is a temporary one, so that messages name short files.
class Sweeps : public testing::Test {
protected:
  Sweeps() : before_(std::filesystem::current_path()) {
    const auto folder = scratch_folder() / "sweep";
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
    std::ofstream("p.json") << platform.dump();
  }
  ~Sweeps() override {
    const auto folder = std::filesystem::current_path();
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder);
  }
  static Result<Sweep> read(const json& root) {
    std::ofstream("s.json") << root.dump();
    return read_sweep("s.json");
  }
  static Result<Sweep> read_vary(const std::string& entries) { return read(patched(small, vary, entries)); }
  // The values of each variant, as "a b; c d".
  static std::string values(const Result<Sweep>& sweep) {
    if (!sweep)
      return errors_of(sweep);
    std::string text;
    for (const auto& variant : sweep->variants)
      text += fmt::format("{}{}", text.empty() ? "" : "; ", fmt::join(variant.values, " "));
    return text;
  }

private:
  std::filesystem::path before_;
};

TEST_F(Sweeps, ReadTheRanksThatMayMove) {
  const auto order = read_vary(R"([{"order": "ranks"}])");
  ASSERT_TRUE(order) << errors_of(order);
  EXPECT_EQ(order->placement->ranks, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(order->placement->slots, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(order->placement->is_ordered);
  const auto fixed = read_vary(R"([{"order": {"fixed": [1], "slots": ["b*", "a"]}}])");
  ASSERT_TRUE(fixed) << errors_of(fixed);
  EXPECT_EQ(fixed->placement->ranks, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(fixed->placement->slots, (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(fixed->placement->choose, 2u);
  const auto devices = read_vary(R"([{"devices": {"from": ["*"], "choose": 1}}])");
  ASSERT_TRUE(devices) << errors_of(devices);
  EXPECT_FALSE(devices->placement->is_ordered);
  EXPECT_EQ(devices->placement->choose, 1u);
}

TEST_F(Sweeps, ExpandFieldsAfterTheScenarioAsItStands) {
  EXPECT_EQ(values(read_vary(R"([{"field": "/workload/sizes/0", "values": ["1 KiB", "8 B", 64]}])")),
            "8 B; 1 KiB; 64"); // the value that it has is not a variant of its own
  EXPECT_EQ(values(read_vary(R"([{"field": "/workload/sizes/0",
                                  "range": {"from": "1 KiB", "to": "4 KiB", "count": 3, "spacing": "geometric"}}])")),
            "8 B; 1024 B; 2048 B; 4096 B");
  EXPECT_EQ(values(read_vary(R"([{"field": ")" + cap + R"(", "range": {"from": "1 GB/s", "to": "2 GB/s", "count": 3}},
                                 {"field": "/workload/sizes/0", "values": ["1 B"]}])")),
            "1 GB/s 8 B; 1000 MB/s 1 B; 1500 MB/s 1 B; 2000 MB/s 1 B");
  const auto sweep = read_vary(R"([{"field": ")" + cap + R"(", "values": ["3 GB/s"]}])");
  ASSERT_TRUE(sweep) << errors_of(sweep);
  EXPECT_EQ(sweep->variants[1].scenario.platform->fabrics[0].rules[0].regimes[0].cap, gigabytes_per_second(3));
  EXPECT_EQ(sweep->variants[0].scenario.platform->fabrics[0].rules[0].regimes[0].cap, gigabytes_per_second(1));
}

TEST_F(Sweeps, PutRanksOnDevices) {
  const auto sweep = read_vary(R"([{"per_device": {"on": ["b1", "a"], "values": [1, 2, 3]}}])");
  EXPECT_EQ(values(sweep), "1; 2; 3");
  EXPECT_EQ(sweep->variants[0].scenario.ranks, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(sweep->variants[1].scenario.ranks, (std::vector<std::size_t>{0, 0, 1, 1, 2}));
  EXPECT_EQ(sweep->fields, (std::vector<std::string>{"ranks on b1+a"}));
  const auto without = read_vary(R"([{"per_device": {"on": ["b1"], "values": [0]}}])");
  EXPECT_EQ(without->variants[1].scenario.ranks, (std::vector<std::size_t>{0, 2}));
}

// The program divided by their number.
TEST_F(Sweeps, NeedRanks) {
  EXPECT_EQ(
      errors_of(read_vary(R"([{"per_device": {"on": ["b1", "a", "b2"], "values": [0]}}])")),
      "s.json: /sweep/vary/0/per_device/values/0: \"0\" does not do: s.json: /ranks: got 0 ranks for ring, expected "
      "2 or more");
}

TEST_F(Sweeps, TellAllFaults) {
  const auto expect = [](const std::vector<Reject>& table) {
    for (const auto& [place, value, errors] : table)
      EXPECT_EQ(errors_of(read(patched(small, place, value))), errors) << place << " = " << value;
  };
  const auto field = [](const std::string& pointer, const std::string& rest = R"("values": [1])") {
    return R"([{"field": ")" + pointer + R"(", )" + rest + "}]";
  };
  expect({
      {vary, "[]", "s.json: /sweep/vary: got 0 items, expected at least 1"},
      {vary, R"([{"ordre": "ranks"}])",
       "s.json: /sweep/vary/0/ordre: got an unknown key, expected one of \"devices\", \"field\", \"order\", "
       "\"per_device\", "
       "\"range\", \"values\" (did you mean \"order\"?)"},
      {vary, R"([{"order": "rank"}])",
       "s.json: /sweep/vary/0/order: got \"rank\", expected \"ranks\", or an object (did you mean \"ranks\"?)"},
      {vary, R"([{"values": [1]}])",
       "s.json: /sweep/vary/0: got none of \"order\", \"devices\", \"per_device\" and \"field\", expected exactly one"},
      {vary, R"([{"order": "ranks", "values": [1]}, {"order": "ranks"}])",
       "s.json: /sweep/vary/0/values: only \"field\" takes this key beside it\n"
       "s.json: /sweep/vary/1/order: got a second order or choice of devices, expected only one"},
      {vary, R"([{"order": {"fixed": [3, 0, 0]}}])",
       "s.json: /sweep/vary/0/order/fixed/0: got 3, expected a rank from 0 to 2\n"
       "s.json: /sweep/vary/0/order/fixed/2: got 0 twice, expected each only once"},
      {vary, R"([{"order": {"slots": ["a", "b1"]}}])",
       "s.json: /sweep/vary/0/order/slots: got 2 devices, expected at least 3, one for each rank that may move"},
      {vary, R"([{"devices": {"from": ["b*", "c"], "choose": 2}}])",
       "s.json: /sweep/vary/0/devices/choose: got 2, expected a divisor of 3, the number of ranks that may move\n"
       "s.json: /sweep/vary/0/devices/from/1: got \"c\", expected a device of p.json: a, b1, b2 (did you mean \"a\"?)"},
      {vary, field("/workload/size/0"),
       "s.json: /sweep/vary/0/field: got \"/workload/size/0\", but there is no \"size\" in /workload, expected a "
       "number or "
       "quantity of the file (did you mean \"sizes\"?)"},
      {vary, field("/workload/sizes/00"),
       "s.json: /sweep/vary/0/field: got \"/workload/sizes/00\", but there is no \"00\" in /workload/sizes, expected a "
       "number or quantity of the file"},
      {vary, field("/workload"),
       "s.json: /sweep/vary/0/field: got \"/workload\", which is an object, expected a number or quantity of the file"},
      {vary, field("/name"),
       "s.json: /sweep/vary/0/field: got \"/name\", expected a field of \"workload\", \"mpi\" or \"what_if\", or "
       "\"/fabric\"; ranks "
       "vary "
       "by order, devices or per_device"},
      {vary, field("sizes"),
       "s.json: /sweep/vary/0/field: got \"sizes\", expected a JSON pointer such as /workload/sizes/0 or "
       "platform:/fabrics/ib/rules/0/regimes/0/cap"},
      {vary, field("/workload/sizes/0", R"("values": [1, 1], "range": {"from": 1, "to": 2, "count": 2})"),
       "s.json: /sweep/vary/0: got both \"values\" and \"range\", expected exactly one\n"
       "s.json: /sweep/vary/0/values/1: got 1 twice, expected each only once"},
      {vary, field("/workload/sizes/0", R"("values": [1024, "1 KiB"])"),
       "s.json: /sweep/vary/0/values/1: got 1 KiB, which is 1024 once more, expected each only once"},
      {vary, field(cap, R"("values": ["1 GB/s", "8 Gbit/s"])"),
       "s.json: /sweep/vary/0/values/1: got 8 Gbit/s, which is 1 GB/s once more, expected each only once"},
      {vary, field("/workload/sizes/0", R"("range": {"from": "1 B", "to": "2 us", "count": 2})"),
       "s.json: /sweep/vary/0/range: got \"1 B\" to \"2 us\", expected two numbers, or two quantities of one kind"},
      {vary, field("/workload/sizes/0", R"("range": {"from": 0, "to": 2, "count": 2, "spacing": "geometric"})"),
       "s.json: /sweep/vary/0/range: got 0 as an end of a geometric range, expected ends above 0"},
      {vary, field("/workload/sizes/0", R"("values": ["1 XB", 5, "2 us"])"),
       "s.json: /sweep/vary/0/values/0: \"1 XB\" does not do: s.json: /workload/sizes/0: got \"1 XB\", expected a size "
       "such "
       "as \"64 KiB\" or \"4 B\"\n"
       "s.json: /sweep/vary/0/values/2: \"2 us\" does not do: s.json: /workload/sizes/0: got \"2 us\", expected a size "
       "such "
       "as \"64 KiB\" or \"4 B\""},
      {vary, field(cap, R"("values": ["1 us"])"),
       "s.json: /sweep/vary/0/values/0: \"1 us\" does not do: p.json: /fabrics/direct/rules/0/regimes/0/cap: got \"1 "
       "us\", "
       "expected a rate such as \"10 Gbit/s\" or \"1.25 GB/s\""},
      {vary, R"([{"per_device": {"on": ["*"], "values": [1]}}, {"order": "ranks"}])",
       "s.json: /sweep/vary: got \"per_device\" beside an order or choice of devices, expected only one of them"},
      {"/sweep/objective", "\"speed\"",
       "s.json: /sweep/objective: got \"speed\", expected one of \"time\", \"bandwidth\""},
  });
  EXPECT_EQ(errors_of(read(patched(patched(small, "/workload", R"({"benchmark": "imb-alltoall"})"), "/sweep/objective",
                                   "\"bandwidth\""))),
            "s.json: /sweep/objective: got \"bandwidth\" for a workload that prints none, expected \"time\"");
  EXPECT_EQ(errors_of(read(patched(small, "/sweep", ""))),
            "s.json: the key \"sweep\" is missing; it states what varies");
}

TEST_F(Sweeps, LimitTheNumberOfVariants) {
  const std::string range = R"("range": {"from": 1, "to": 1000, "count": 1000}})";
  EXPECT_EQ(errors_of(read_vary(R"([{"field": "/workload/sizes/0", )" + range +
                                R"(, {"per_device": {"on": ["a"], "values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}}])")),
            "s.json: /sweep/vary: got 11000 combinations of values, expected at most 10000");
}

} // namespace sweep_reader_test
} // namespace kakehashi
