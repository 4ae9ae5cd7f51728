#include "command/errand.hpp"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Texts = std::vector<std::string>;

const std::string root = KAKEHASHI_SOURCE_DIR;
const std::string sweep = root + "/scenarios/colfax-mic/sweep-ring-node.json";

std::string text_of(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Answer answer_to(const Errand& errand) {
  auto running = RunningErrand::start(errand);
  while (running->wait(1000)) {
  }
  return running->answer();
}

TEST(Errand, GivesWhatTheCommandPrints) {
  const auto answer = answer_to({{"check", sweep}, {}});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.out, sweep + ": scenario, no faults\n");
  EXPECT_TRUE(answer.faults.empty());
  EXPECT_TRUE(answer.chart.empty());
}

TEST(Errand, HasFaultsAsValues) {
  const auto answer = answer_to({{"simulate", "--format", "xml", "none.json"}, {}});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.faults, Texts{"--format: xml not in {table,csv,json,markdown}"});
  EXPECT_EQ(answer.notes, "");
}

TEST(Errand, DrawsOnlyIfItIsAsked) {
  Errand errand{{"simulate", "--sizes", "8 B,1 KiB", root + "/scenarios/hpcdiy-qdr/latency-gbe.json"}, {}};
  EXPECT_EQ(answer_to(errand).chart, "");
  errand.draws = true;
  EXPECT_NE(answer_to(errand).chart.find("<title>"), std::string::npos);
}

TEST(Errand, TakesTextsForFiles) {
  const auto other = nlohmann::json::parse(text_of(root + "/platforms/hpcdiy-qdr.json"));
  const nlohmann::json scenario{{"name", "s"},
                                {"platform", "p"},
                                {"fabric", "qdr"},
                                {"ranks", {"hpc01.cpu0", "hpc02.cpu0"}},
                                {"workload", {{"benchmark", "osu-latency"}, {"sizes", {8}}}}};
  const Errand errand{{"compare", "s", "--platforms", "p,q", "--format", "csv"},
                      {{"s", scenario.dump()}, {"p", other.dump()}, {"q", other.dump()}}};
  EXPECT_EQ(answer_to(errand).faults, Texts{"got p/qdr twice, expected each only once"});
  auto faulty = errand;
  faulty.texts["q"] = R"({"name": "q")";
  EXPECT_EQ(
      answer_to(faulty).faults,
      Texts{
          "q: line 1, column 13: not JSON: syntax error while parsing object - unexpected end of input; expected '}'"});
}

TEST(Errand, HearsOfProgressAndEndsWhenItIsStopped) {
  auto running = RunningErrand::start({{"sweep", "--jobs", "1", sweep}, {}});
  while (running->progress().all == 0 && running->wait(1000)) {
  }
  EXPECT_EQ(running->progress().all, 6u);
  running->stop();
  EXPECT_FALSE(running->wait(0));
  EXPECT_EQ(running->answer().faults, Texts{"the simulation crashed (Killed)"});
}

} // namespace
} // namespace kakehashi
