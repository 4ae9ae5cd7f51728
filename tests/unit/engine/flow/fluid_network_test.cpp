// The fluid network on transfers worked by hand, and against SimGrid's on random ones.
#include "engine/flow/network.hpp"
#include "study/pool/pool.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>

namespace kakehashi {
namespace {

struct Start {
  double at; // s
  std::vector<std::size_t> channels;
  std::uint64_t size;
  double cap = 0; // B/s, 0: none
};

std::deque<Channel> channels_of(std::vector<double> capacities) {
  std::deque<Channel> channels;
  for (const double capacity : capacities)
    channels.push_back({"c" + std::to_string(channels.size()), {capacity}});
  return channels;
}

// When each of them completes, in s.
std::vector<double> completions(Network& network, const std::vector<Start>& starts) {
  constexpr std::uint32_t begins = 0, ends = 1;
  std::vector<double> times(starts.size(), -1);
  for (std::uint32_t i = 0; i < starts.size(); ++i)
    network.after({starts[i].at}, {begins, i});
  network.run([&](Event event) {
    const auto& start = starts[event.id];
    if (event.kind == ends)
      times[event.id] = network.now().value;
    else
      network.transfer(network.add_set(start.channels), Bytes{start.size},
                       start.cap > 0 ? std::optional(BytesPerSecond{start.cap}) : std::nullopt, {ends, event.id});
  });
  return times;
}

void expect_completions(std::vector<double> capacities, const std::vector<Start>& starts,
                        const std::vector<double>& expected) {
  const auto channels = channels_of(std::move(capacities));
  const auto network = make_fluid_network(channels, 0);
  const auto times = completions(*network, starts);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(times[i], expected[i], 1e-9) << "transfer " << i;
}

TEST(FluidNetwork, GivesALoneTransferItsNarrowestChannel) {
  expect_completions({100, 50, 200}, {{0, {0, 1, 2}, 500}}, {10});
}

TEST(FluidNetwork, HoldsATransferToItsCap) {
  expect_completions({100}, {{0, {0}, 500, 25}}, {20});
}

TEST(FluidNetwork, NeedsNoChannels) {
  expect_completions({}, {{0, {}, 500, 25}, {3, {}, 500}}, {20, 3});
}

TEST(FluidNetwork, GivesWhatACapLeavesToTheOthers) {
  // 10 B/s for the capped one, 45 for each other.
  expect_completions({100}, {{0, {0}, 100, 10}, {0, {0}, 450}, {0, {0}, 450}}, {10, 10, 10});
}

TEST(FluidNetwork, CountsTheBytesOfABundleByOneClock) {
  // One flow alone for 1 s (100 B), two for 4 s (200 B each), then the second alone for 2 s.
  expect_completions({100}, {{0, {0}, 300}, {1, {0}, 400}}, {5, 7});
}

TEST(FluidNetwork, CompletesFlowsOfABundleInTheOrderOfTheirMarks) {
  // 10 B of each until 0.3, then 20 B more of two at 50 B/s.
  expect_completions({100}, {{0, {0}, 30}, {0, {0}, 10}, {0, {0}, 30}}, {0.7, 0.3, 0.7});
}

TEST(FluidNetwork, SharesByMaxMinOverSeveralChannels) {
  // Channel 0 (30) is full first: 10 each for transfers 0, 1, 2; transfer 3 has the other 90 of channel 1.
  expect_completions({30, 100}, {{0, {0}, 100}, {0, {0}, 100}, {0, {0, 1}, 100}, {0, {1}, 900}}, {10, 10, 10, 10});
}

// The first is alone for 2 s, shares with the second until that is done at 6 s, and is alone again.
TEST(FluidNetwork, LetsALoneTransferBeJoined) {
  expect_completions({100, 100}, {{0, {0}, 600}, {2, {0, 1}, 200}}, {8, 6});
  expect_completions({100}, {{0, {0}, 600, 80}, {2, {0}, 200, 40}}, {8.75, 7});
  expect_completions({100, 100}, {{0, {0}, 600}, {6, {1}, 200}, {6, {0}, 100}}, {6, 8, 7});
}

TEST(FluidNetwork, LeavesSeparateTransfersAlone) {
  expect_completions({10, 10}, {{0, {0}, 100}, {5, {1}, 100}, {6, {1}, 10}}, {10, 16, 8});
}

TEST(FluidNetwork, CountsAChannelThatIsPassedTwiceTwice) {
  expect_completions({100}, {{0, {0, 0}, 100}}, {2});
}

TEST(FluidNetwork, TellsItsTolerance) {
  const std::deque<Channel> channels;
  EXPECT_EQ(make_fluid_network(channels, 0)->name(), "fluid, tolerance 0 %");
  EXPECT_EQ(make_fluid_network(channels, 0.025)->name(), "fluid, tolerance 2.5 %");
}

// A few waves of transfers over random channels; some share paths, some have caps.
std::vector<Start> random_starts(std::mt19937& random, std::size_t channels, std::size_t count) {
  const auto pick = [&](std::size_t below) { return random() % below; };
  std::vector<Start> starts;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && pick(3) == 0) {
      starts.push_back(starts[pick(i)]); // the same again, perhaps later
      starts.back().at += static_cast<double>(pick(2)) * 1e-4;
      continue;
    }
    std::vector<std::size_t> route(channels);
    for (std::size_t c = 0; c < channels; ++c)
      route[c] = c;
    std::shuffle(route.begin(), route.end(), random);
    route.resize(1 + pick(5));
    const double caps[] = {0, 0, 2e8, 5e8};
    starts.push_back({1e-6 * static_cast<double>(pick(200)), route, 1 + pick(100000), caps[pick(4)]});
  }
  return starts;
}

// Among few channels each change reaches most transfers, among many only those near it.
class RandomTransfers : public testing::TestWithParam<std::size_t> {};

TEST_P(RandomTransfers, TakeAsLongAsWithSimGrid) {
  std::mt19937 random(1);
  std::vector<double> capacities;
  for (std::size_t i = 0; i < GetParam(); ++i)
    capacities.push_back(1e8 * static_cast<double>(1 + random() % 30));
  const auto channels = channels_of(capacities);
  const auto starts = random_starts(random, channels.size(), 400 + GetParam());
  const auto reference = make_simgrid_network(channels);
  const auto fluid = make_fluid_network(channels, 0);
  const auto expected = completions(*reference, starts);
  const auto found = completions(*fluid, starts);
  for (std::size_t i = 0; i < starts.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1.1e-12) << "transfer " << i; // an instant
}

INSTANTIATE_TEST_SUITE_P(Channels, RandomTransfers, testing::Values(20, 150, 1000));

TEST(SimGridNetwork, GivesTheSameTimesHoweverManyCameBeforeInThisProcess) {
  std::mt19937 random(3);
  const auto channels = channels_of({1e8, 2e8, 3e8, 4e8, 5e8, 6e8, 7e8, 8e8});
  const auto starts = random_starts(random, channels.size(), 100);
  const auto others = random_starts(random, channels.size(), 50);
  const auto times = [&](const std::vector<Start>& of) { return completions(*make_simgrid_network(channels), of); };
  const std::vector<Task<std::vector<double>>> alone{[&]() -> Result<std::vector<double>> { return times(starts); },
                                                     [&]() -> Result<std::vector<double>> { return times(others); }};
  const auto expected = run_in_children(alone, 1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(times(starts), *expected[0]);
    EXPECT_EQ(completions(*make_fluid_network(channels, 0), {{5, {0}, 1000000}})[0], 5.01);
    EXPECT_EQ(times(others), *expected[1]);
    EXPECT_EQ(times({{1e6, {0}, 1000000}})[0], 1e6 + 0.01); // after that its clock has few digits left
  }
}

TEST(SimGridNetwork, MayFollowOneThatWasLeftInTheMiddle) {
  const auto channels = channels_of({100});
  const std::vector<Start> starts{{0, {0}, 500}, {1, {0}, 500}};
  for (int i = 0; i < 2; ++i) {
    const auto network = make_simgrid_network(channels);
    const auto path = network->add_set(std::vector<std::size_t>{0});
    network->after({1}, {0, 0});
    network->transfer(path, Bytes{1000}, {}, {1, 0});
    EXPECT_THROW(network->run([](Event) { throw std::runtime_error("enough"); }), std::runtime_error);
  }
  EXPECT_EQ(completions(*make_simgrid_network(channels), starts), (std::vector<double>{9, 10}));
}

TEST(FluidNetwork, KeepsToItsToleranceInTheMean) {
  // A single transfer may be off by more, since it may just miss, or catch, others.
  std::mt19937 random(2);
  std::vector<double> capacities(20, 1e9);
  const auto channels = channels_of(capacities);
  const auto starts = random_starts(random, channels.size(), 2000);
  const auto exact = completions(*make_fluid_network(channels, 0), starts);
  for (const double tolerance : {0.01, 0.05}) {
    const auto rough = completions(*make_fluid_network(channels, tolerance), starts);
    double mean = 0;
    for (std::size_t i = 0; i < starts.size(); ++i)
      mean += (rough[i] - exact[i]) / (exact[i] - starts[i].at) / static_cast<double>(starts.size());
    EXPECT_NEAR(mean, 0, tolerance);
    EXPECT_NE(mean, 0);
  }
}

TEST(FluidNetwork, CompletesTogetherWhatLiesWithinTheTolerance) {
  // Alone on their channels they take 100 s, 102 s and 110 s; with 10 % the first may wait for 105 % of its bytes.
  const std::vector<Start> starts{{1000, {0}, 10000}, {1000, {1}, 10200}, {1000, {2}, 11000}};
  const auto among = [&](std::size_t others) {
    std::vector<double> capacities(3, 100);
    auto all = starts;
    for (std::size_t i = 0; i < others; ++i) {
      capacities.push_back(100);
      all.push_back({0, {3 + i}, 1000000});
    }
    const auto channels = channels_of(capacities);
    return completions(*make_fluid_network(channels, 0.1), all);
  };
  const auto times = among(600);
  EXPECT_NEAR(times[0], 1105, 1e-9);
  EXPECT_NEAR(times[1], 1105, 1e-9);
  EXPECT_NEAR(times[2], 1105, 1e-9); // 95.5 % of its bytes
  const auto exact = among(0);
  EXPECT_NEAR(exact[0], 1100, 1e-9);
  EXPECT_NEAR(exact[1], 1102, 1e-9);
  EXPECT_NEAR(exact[2], 1110, 1e-9);
}

TEST(FluidNetwork, IsTheSameEveryTimeAndShufflesTiesByItsSeed) {
  const auto channels = channels_of({100});
  const auto order = [&](std::uint32_t seed) {
    std::vector<std::uint32_t> ids;
    const auto network = make_fluid_network(channels, 0.01, seed);
    for (std::uint32_t i = 0; i < 400; ++i) // more than a heap takes
      network->after({1.0}, {0, i});
    network->run([&](Event event) { ids.push_back(event.id); });
    return ids;
  };
  EXPECT_EQ(order(0), order(0));
  EXPECT_EQ(order(7), order(7));
  EXPECT_NE(order(0), order(7));
  EXPECT_TRUE(std::ranges::is_sorted(order(0)));
}

// 300 flows of different sizes through one channel: each end moves the rates of the others.
TEST(FluidNetwork, SolvesSeldomWithATolerance) {
  const auto solves = [](double tolerance, std::size_t flows) {
    const auto channels = channels_of({1e9});
    const auto network = make_fluid_network(channels, tolerance);
    std::vector<Start> starts;
    for (std::size_t i = 0; i < flows; ++i)
      starts.push_back({0, {0}, 1000000 + 1000 * i, 1e9 + static_cast<double>(i)}); // a cap makes each a bundle
    completions(*network, starts);
    return *network->solves();
  };
  EXPECT_EQ(solves(0.02, 100), solves(0, 100)); // few flows are exact
  EXPECT_LT(3 * solves(0.02, 600), 2 * solves(0, 600));
}

} // namespace
} // namespace kakehashi
