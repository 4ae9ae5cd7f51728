// What follows from the times of a library's choices; the times are given by hand.
#include "study/sweep/operation_tuning.hpp"

#include "workload/benchmark/benchmark.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace kakehashi {
namespace operation_tuning_test {

using Times = std::function<double(const std::string& algorithm, std::uint64_t size)>; // in seconds

// Two nodes of two cpus each, a rank on each cpu.
Scenario scenario() {
  auto platform = std::make_shared<Platform>();
  platform->name = "m";
  platform->nodes = {"a", "b"};
  platform->devices = {{"a.x", DeviceKind::cpu, 0, std::nullopt},
                       {"a.y", DeviceKind::cpu, 0, std::nullopt},
                       {"b.x", DeviceKind::cpu, 1, std::nullopt},
                       {"b.y", DeviceKind::cpu, 1, std::nullopt}};
  Scenario scenario;
  scenario.platform = platform;
  scenario.ranks = {0, 1, 2, 3};
  scenario.mpi.selector = Selector::mpich;
  Benchmark benchmark;
  benchmark.name = "osu-allreduce";
  scenario.workload = benchmark;
  return scenario;
}

TuneRequest request(std::vector<std::uint64_t> sizes) {
  TuneRequest request;
  request.placements = {"block"};
  request.sizes = std::move(sizes);
  request.margin = 0.2;
  return request;
}

// Of an Allreduce with the request's measured times. MPICH 3 has two-level (its own choice here), recursive-doubling
// and rabenseifner.
TunedOperation tuned(const TuneRequest& request, const Times& times) {
  OperationTuning tuning(scenario(), Collective::allreduce, 0, 4, request);
  bool has_more = true;
  while (has_more) {
    has_more = false;
    tuning.open([&](const std::string& key, const Scenario&, std::optional<Seconds>& time) { // allreduce block 4 8 ring
      const auto words = key.substr(std::string("allreduce block 4 ").size());
      const auto blank = words.find(' ');
      time = Seconds{times(words.substr(blank + 1), std::stoull(words.substr(0, blank)))};
      has_more = true;
    });
    tuning.refine();
  }
  Tuning all;
  all.placements = {{"block"}};
  tuning.correct(all);
  return tuning.result();
}

const TunedSize& at(const TunedOperation& operation, std::uint64_t size) {
  return *std::ranges::find(operation.sizes, size, &TunedSize::size);
}

std::string taken(const TunedOperation& operation, std::uint64_t size) {
  return at(operation, size).chosen.name;
}

// Within 2 % of the fastest, another order of events may decide.
TEST(OperationTuning, KeepsTheChoiceOfTheSizeBeforeWhereItIsAsFast) {
  const auto with = [&](double factor) {
    return tuned(request({64, 128}), [&](const std::string& name, std::uint64_t size) {
      return name == "two-level" ? 2 : name == "rabenseifner" ? (size == 64 ? 1.1 : 1) : size == 64 ? 1 : factor;
    });
  };
  EXPECT_EQ(taken(with(1.019), 64), "recursive-doubling");
  EXPECT_EQ(taken(with(1.019), 128), "recursive-doubling");
  EXPECT_EQ(taken(with(1.021), 128), "rabenseifner");
}

// Where both are measured 2 % are enough, and otherwise the margin.
TEST(OperationTuning, TakesTheFasterOneByAsMuchAsIsKnownOfBoth) {
  const auto flat = [](const std::string& name, std::uint64_t) { return name == "two-level" ? 1.19 : 1; };
  EXPECT_EQ(taken(tuned(request({8}), flat), 8), "two-level");
  auto both = request({8});
  both.measured = {{"allreduce-block-4-8-default.log", Seconds{1.03}},
                   {"allreduce-block-4-8-recursive-doubling.log", Seconds{1}}};
  EXPECT_EQ(taken(tuned(both, flat), 8), "recursive-doubling");
  both.measured["allreduce-block-4-8-default.log"] = Seconds{1.01};
  EXPECT_EQ(taken(tuned(both, flat), 8), "two-level");
}

// Measured at 8 and 512 B, an algorithm takes 2 and 8 times what was predicted: between them its factor is a power of
// the size plus 1, and beyond them the nearest.
TEST(OperationTuning, InterpolatesMeasuredFactorsBetweenSizes) {
  auto some = request({4, 8, 64, 512, 1024});
  some.measured = {{"allreduce-block-4-8-default.log", Seconds{2}}, {"allreduce-block-4-512-default.log", Seconds{8}}};
  const auto found = tuned(some, [](const std::string&, std::uint64_t) { return 1; });
  const auto usual = [&](std::uint64_t size) { return at(found, size).usual.time.value; };
  EXPECT_DOUBLE_EQ(usual(4), 2);
  EXPECT_NEAR(usual(64), 2 * std::pow(4, std::log(65.0 / 9) / std::log(513.0 / 9)), 1e-9);
  EXPECT_DOUBLE_EQ(usual(1024), 8);
}

// All are twice as slow as predicted. Only two were measured, so the third one does not seem twice as fast as they.
TEST(OperationTuning, ShiftsWhatWasNotMeasuredByTheMedianFactor) {
  auto some = request({64});
  some.measured = {{"allreduce-block-4-64-default.log", Seconds{2}},
                   {"allreduce-block-4-64-recursive-doubling.log", Seconds{2.4}}};
  const auto with = [&](double unmeasured) {
    return tuned(some, [&](const std::string& name, std::uint64_t) {
      return name == "rabenseifner" ? unmeasured : name == "two-level" ? 1 : 1.2;
    });
  };
  EXPECT_EQ(taken(with(0.9), 64), "two-level");
  EXPECT_EQ(taken(with(0.8), 64), "rabenseifner");
  EXPECT_DOUBLE_EQ(at(with(0.8), 64).chosen.time.value, 1.6);
}

// Of two that beat the library's own choice, one of which nothing was measured must be faster by the margin, too.
TEST(OperationTuning, PrefersWhatWasMeasured) {
  auto some = request({64});
  some.measured = {{"allreduce-block-4-64-default.log", Seconds{2}},
                   {"allreduce-block-4-64-recursive-doubling.log", Seconds{1}}};
  const auto with = [&](double unmeasured) {
    return tuned(some, [&](const std::string& name, std::uint64_t) {
      return name == "rabenseifner" ? unmeasured : name == "two-level" ? 2 : 1;
    });
  };
  EXPECT_EQ(taken(with(0.85), 64), "recursive-doubling");
  EXPECT_EQ(taken(with(0.8), 64), "rabenseifner");
}

} // namespace operation_tuning_test
} // namespace kakehashi
