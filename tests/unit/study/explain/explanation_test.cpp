#include "study/explain/explanations.hpp"

#include "engine/mpi/peer_platform.hpp"
#include "engine/random_scenario.hpp"
#include "study/sweep/algorithm_contest.hpp"
#include "workload/benchmark/kind.hpp"

#include <array>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace peer;

const auto silent = [](std::size_t, std::size_t) {};

Scenario base(std::shared_ptr<Platform> on = platform()) {
  return pairs(std::move(on), {at(0, far_mic), at(1, far_mic)}, 1);
}

TEST(Explanation, WaterfallHasNoHolesAndAddsUpToTheTotal) {
  auto made = platform();
  auto& rendezvous = made->fabrics[0].rules[0].regimes[0];
  rendezvous.trips = 3;
  rendezvous.setup = microseconds(0.7);
  made->links.back().latency = microseconds(0.3);
  const auto found = explain_message(base(made), at(0, far_mic), at(1, far_mic), Bytes{12345}, 2, silent);
  ASSERT_TRUE(found);
  Seconds at_time;
  for (const auto& step : found->waterfall) {
    EXPECT_EQ(step.start, at_time) << step.what;
    at_time = step.end;
  }
  EXPECT_EQ(at_time, found->total);
  EXPECT_NEAR(in_microseconds(found->total), 1 + 0.7 + 3 * 0.3 + 12.345 * (2 + 4) + 0.5, 1e-6);
  ASSERT_EQ(found->waterfall.size(), 6u);
  EXPECT_EQ(found->bottleneck, "flow at 250 MB/s, limited by b.hca-b.far:write");
}

// The last of five pieces takes 27.5 us between the nodes, less than the first one to leave its own (31.25 us), but all
// of them together take longest.
TEST(Explanation, TakesThePiecesOfAMessageTogether) {
  auto made = platform();
  made->links[2].bandwidth = gigabytes_per_second(8); // of a's far coprocessor
  add_stages(*made, Bytes{250'000});
  const auto scenario = pairs(made, {at(0, far_mic), at(1, far_mic)}, 1, "staged");
  const auto found = explain_message(scenario, at(0, far_mic), at(1, far_mic), Bytes{1'110'000}, 2, silent);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bottleneck, "stage 1 (net): flow at 4000 MB/s, limited by a.hca-b.hca>");
}

TEST(Explanation, NamesRuleRouteAndWhatHelpsMost) {
  const auto found = explain_message(base(), at(0, far_mic), at(1, far_mic), Bytes{1000000}, 2, silent);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->stages.size(), 1u);
  EXPECT_EQ(found->stages[0].rule, "/fabrics/net/rules/0");
  EXPECT_EQ(found->stages[0].hops.size(), 9u); // seven links and two limited legs
  ASSERT_GE(found->effects.size(), 2u);
  EXPECT_EQ(found->effects[0].place, "/peer_limits/1"); // two thirds of the time
  EXPECT_NEAR(found->effects[0].change, -2.0 / 3 / 11, 1e-4);
  EXPECT_EQ(found->effects[1].place, "/peer_limits/0");
}

TEST(Explanation, OfARunListsBusyLinksAndWhatNeverMattered) {
  auto scenario = pairs(platform(), {at(0, cpu0), at(1, cpu0)}, 1000000);
  const auto found = explain_run(scenario, *plan(scenario), 2, silent);
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->links.empty());
  EXPECT_EQ(found->links[0].channel, "a.hca-b.hca>");
  EXPECT_NEAR(found->links[0].busy, 250 / 251.5, 1e-6);
  EXPECT_EQ(to_text(found->reason), "flow, with a.hca-b.hca> busy 99 % of the time (99 % of the critical path)");
  EXPECT_EQ(found->effects[0].what, "bandwidth");
  ASSERT_EQ(found->without_effect.size(), 1u); // PCIe
  EXPECT_EQ(found->without_effect[0].place, "pcie links of 10000 MB/s and 0 us");
}

// By a ring two ranks copy a vector of 1 MB in 100 us, send a half in 126.5 us twice, and add one in 250.2 us.
TEST(Explanation, HasWhatTheLibraryItselfDoes) {
  auto scenario = pairs(platform(), {at(0, cpu0), at(1, cpu0)}, 1);
  scenario.mpi.reduction = all_kinds(SecondsPerByte{0.5e-9});
  Benchmark benchmark;
  benchmark.name = "imb-allreduce";
  benchmark.sizes = {Bytes{1000000}};
  scenario.workload = benchmark;
  const auto found = explain_run(scenario, *plan(scenario), 2, silent);
  ASSERT_TRUE(found);
  const auto effect = [&](const std::string& what) {
    const auto each = std::ranges::find(found->effects, what, &Effect::what);
    return each != found->effects.end() && each->place == "/mpi" ? each->change : 0;
  };
  EXPECT_NEAR(effect("reduction"), -250.0 / 603.2 / 11, 1e-4);
  EXPECT_NEAR(effect("copy"), -100.0 / 603.2 / 11, 1e-4);
  EXPECT_EQ(std::ranges::count(found->without_effect, "gpu_copy_start", &Effect::what), 0);
}

// Of two equal adapters a better one alone would help neither sender nor receiver: they are one parameter.
TEST(Explanation, TakesDevicesThatAreAlikeTogether) {
  auto made = platform();
  for (auto& device : made->devices)
    if (device.kind == DeviceKind::hca)
      device.message_rate = 1000;
  Benchmark benchmark;
  benchmark.name = "osu-bw";
  benchmark.sizes = {Bytes{8}};
  auto scenario = pairs(made, {at(0, cpu0), at(1, cpu0)}, 1);
  scenario.workload = benchmark;
  const auto found = explain_run(scenario, *plan(scenario), 2, silent);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->effects[0].place, "a.hca and devices like it");
  EXPECT_EQ(found->effects[0].what, "message_rate");
  EXPECT_NEAR(found->effects[0].change, -1.0 / 11, 1e-3);
}

// Its runs may need more or fewer iterations than another; what is a tenth better helps by a tenth at most. Without
// rates of messages: in which order messages come to their turns at adapters may matter more than that.
TEST(Explanation, EffectsAreThoseOfTheRows) {
  constexpr std::array names{"imb-pingpong", "imb-sendrecv", "osu-latency",   "osu-bw",
                             "osu-bibw",     "imb-bcast",    "osu-allreduce", "osu-alltoall"};
  for (unsigned seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    auto scenario = random_scenario(dice);
    auto platform = *scenario.platform;
    for (auto& device : platform.devices)
      device.message_rate = 0;
    scenario.platform = std::make_shared<Platform>(platform);
    Benchmark benchmark;
    benchmark.name = names[seed % names.size()];
    if (kind_of(benchmark).is_for_two_ranks)
      scenario.ranks.resize(2);
    benchmark.sizes = {Bytes{8}, Bytes{dice.size()}, Bytes{100000}};
    scenario.workload = benchmark;
    const auto found = explain_run(scenario, *plan(scenario), 2, silent);
    ASSERT_TRUE(found) << to_text(found.errors().front());
    for (const auto& effect : found->effects) {
      EXPECT_GE(effect.change, -0.1001) << effect.place << " " << effect.what;
      EXPECT_LE(effect.change, 0.01) << effect.place << " " << effect.what;
    }
  }
}

// One fabric starts quickly, the other flows quickly: 1.5 us + n / 1 GB/s against 11.5 us + n / 2 GB/s.
std::vector<Contender> two_fabrics() {
  auto made = platform();
  made->fabrics[0].rules[0].regimes[0].cap = gigabytes_per_second(1);
  made->fabrics.push_back(fabric("late"));
  made->fabrics[1].rules[0].regimes[0].setup = microseconds(10);
  made->fabrics[1].rules[0].regimes[0].cap = gigabytes_per_second(2);
  auto scenario = pairs(made, {at(0, cpu0), at(1, cpu0)}, 0);
  Benchmark benchmark;
  benchmark.sizes = {Bytes{8}, Bytes{1024}, Bytes{1048576}};
  scenario.workload = benchmark;
  auto late = scenario;
  late.fabric = "late";
  return {{"net", scenario}, {"late", late}};
}

TEST(Comparison, FindsTheExactCrossover) {
  // n / 1 GB/s = 10 us + n / 2 GB/s at 20000 B, where the first still wins
  const auto found = compare(two_fabrics(), 2, silent);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->crossovers.size(), 1u);
  EXPECT_EQ(found->crossovers[0].size, 20001u);
  EXPECT_EQ(found->crossovers[0].before, 0u);
  EXPECT_EQ(found->crossovers[0].after, 1u);
  EXPECT_EQ(found->rows[0].winner, 0u);
  EXPECT_NEAR(found->rows[0].margin, (11.5 + 0.004) / (1.5 + 0.008) - 1, 1e-6);
  EXPECT_EQ(found->rows[2].winner, 1u);
}

TEST(Comparison, SeeksAmongMultiplesWhereAFabricAsksForThem) {
  auto contenders = two_fabrics();
  auto made = std::make_shared<Platform>(*contenders[0].scenario.platform);
  made->fabrics[1].rules[0].regimes[0].alignment = Alignment{Bytes{64}, microseconds(5)};
  for (auto& contender : contenders)
    contender.scenario.platform = made;
  const auto found = compare(contenders, 2, silent);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->multiple, 64u);
  ASSERT_EQ(found->crossovers.size(), 1u);
  EXPECT_EQ(found->crossovers[0].size, 20032u);
}

TEST(Comparison, SaysWhatTheTimeGoesInto) {
  const auto found = compare(two_fabrics(), 2, silent);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rows[0].times[0].reason, "cores: overheads and copies");
  EXPECT_EQ(found->rows[0].times[1].reason, "setup and trips");
  EXPECT_NEAR(found->rows[0].times[1].share, 10 / 11.504, 0.01);
  EXPECT_EQ(found->rows[2].times[0].reason, "flow at 1000 MB/s, limited by the cap");
}

std::vector<std::string> crossings(const std::shared_ptr<Platform>& on, std::size_t from, std::size_t to) {
  const auto found = explain_message(pairs(on, {from, to}, 1), from, to, Bytes{1 << 20}, 2, silent);
  std::vector<std::string> texts;
  for (const auto& each : found->crossings) {
    texts.push_back(each.channel() + " " + each.from_socket + " " + each.to_socket);
    for (const auto& nearer : each.nearer)
      texts.back() += " not " + nearer;
  }
  return texts;
}

TEST(Explanation, NamesWhatCrossesFromSocketToSocket) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(crossings(platform(), at(0, far_mic), at(1, far_mic)),
            (Texts{"a.far-a.hca:read a.cpu1 a.cpu0 not a.near", "b.hca-b.far:write b.cpu0 b.cpu1 not b.near"}));
  EXPECT_EQ(crossings(platform(), at(0, near_mic), at(1, near_mic)), Texts{});
  EXPECT_EQ(crossings(platform(), at(0, near_mic), at(0, far_mic)), Texts{"a.near-a.far:write a.cpu0 a.cpu1"});
}

TEST(Explanation, FindsNoSocketsBetweenDevicesThatAreJoined) {
  auto made = platform();
  auto direct = made->links.front();
  direct.name = "a.near-a.hca";
  direct.from = at(0, near_mic);
  direct.to = at(0, hca);
  direct.type = link_type("pcie");
  made->links.push_back(direct);
  for (auto& limit : made->peer_limits)
    limit.crosses = link_type("pcie");
  EXPECT_EQ(crossings(made, at(0, near_mic), at(1, near_mic)), std::vector<std::string>{});
}

} // namespace
} // namespace kakehashi
