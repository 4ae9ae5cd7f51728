#include "calibration/calibrate.hpp"

#include "calibration/fit_steps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace kakehashi {
namespace {

TEST(Minimise, FindsTheBottomOfAValley) {
  const auto valley = [](const std::vector<double>& at) {
    return std::pow(1 - at[0], 2) + 100 * std::pow(at[1] - at[0] * at[0], 2); // Rosenbrock
  };
  const auto found = minimise(valley, {-1.2, 1}, 0.5, 5000);
  EXPECT_NEAR(found.at[0], 1, 1e-4);
  EXPECT_NEAR(found.at[1], 1, 1e-4);
}

// Humps on both sides of the bottom, from which all that one step looks at is worse.
TEST(Minimise, ShrinksWhereNothingElseIsBetter) {
  const auto humps = [](const std::vector<double>& at) {
    const double away = std::abs(at[0]);
    return at[0] * at[0] + (away > 0.3 && away < 0.9 ? 10 : 0);
  };
  EXPECT_NEAR(minimise(humps, {0.01}, 1, 500).at[0], 0, 1e-4);
}

TEST(Minimise, KeepsToItsBudget) {
  int calls = 0;
  minimise(
      [&](const std::vector<double>& at) {
        ++calls;
        return at[0] * at[0];
      },
      {3}, 1, 20);
  EXPECT_LE(calls, 24);
}

// A path of 1 us over a link of 2 GB/s.
Observation test_of(TestForm form) {
  Observation test;
  test.form = form;
  test.trip = microseconds(1);
  test.narrowest = gigabytes_per_second(2);
  return test;
}

RegimeValues values(double overhead, double setup, double cap_gb_s, double gap, int trips = 1) {
  RegimeValues regime;
  regime.trips = trips;
  regime.send.fill(overhead);
  regime.receive.fill(overhead);
  regime.setup = {setup, setup};
  regime.cap_byte = {cap_gb_s > 0 ? 1e-3 / cap_gb_s : 0, 0};
  regime.gap = gap;
  return regime;
}

TEST(ClosedForm, OneWayIsTheSumOfThePhases) {
  // 0.5 + 0.2 + 3 trips · 1 + 1000 B / 1 GB/s + 0.5
  EXPECT_NEAR(predicted_value(values(0.5, 0.2, 1, 0, 3), test_of(TestForm::one_way), 1000, 0), 5.2, 1e-12);
  // Without a cap the link of 2 GB/s sets the rate.
  EXPECT_NEAR(predicted_value(values(0.5, 0.2, 0, 0), test_of(TestForm::one_way), 1000, 0), 2.7, 1e-12);
}

TEST(ClosedForm, AWindowGoesAtThePaceOfItsSlowestStage) {
  auto test = test_of(TestForm::window);
  // The wire: gap 0.3 + 1 us a message; the first one takes 0.5 + 1 + 1 + 0.5, the answer 2.
  EXPECT_NEAR(predicted_value(values(0.5, 0, 1, 0.3), test, 1000, 2), 64000 / (3 + 63 * 1.3 + 2), 1e-9);
  // The cores: 4 us a message.
  EXPECT_NEAR(predicted_value(values(4, 0, 1, 0.3), test, 1000, 2), 64000.0 / (10 + 63 * 4 + 2), 1e-9);
}

TEST(ClosedForm, AWindowBothWaysKeepsEachCoreBusyTwice) {
  auto test = test_of(TestForm::window_both_ways);
  // The wire: 1.3 us a message, and nobody answers; the cores: 2 · 0.5 us, then 2 · 4 us.
  EXPECT_NEAR(predicted_value(values(0.5, 0, 1, 0.3), test, 1000, 2), 2 * 64000 / (3 + 63 * 1.3), 1e-9);
  EXPECT_NEAR(predicted_value(values(4, 0, 1, 0.3), test, 1000, 2), 2 * 64000.0 / (10 + 63 * 8), 1e-9);
}

TEST(ClosedForm, TheAnswerToAWindowHasFourBytes) {
  auto test = test_of(TestForm::one_way);
  test.curve.points = {{Bytes{1}, 10}, {Bytes{4}, 20}, {Bytes{8}, 30}};
  EXPECT_DOUBLE_EQ(problem_of(std::array{test}, {}).answer, 20);
}

TEST(ClosedForm, ASendrecvIsHeldUpByTheSlowerCore) {
  auto test = test_of(TestForm::sendrecv);
  test.to_kind = DeviceKind::coprocessor;
  auto regime = values(1, 0, 1, 0);
  EXPECT_NEAR(predicted_value(regime, test, 1000, 0), 4, 1e-12); // 1 + 1 trip + 1 + 1
  regime.send[static_cast<std::size_t>(DeviceKind::coprocessor)] = 10;
  regime.receive[static_cast<std::size_t>(DeviceKind::coprocessor)] = 10;
  EXPECT_NEAR(predicted_value(regime, test, 1000, 0), 20, 1e-12);
}

std::vector<Bytes> powers_of_two() {
  std::vector<Bytes> sizes;
  for (std::uint64_t size = 1; size <= 4 << 20; size *= 2)
    sizes.push_back(Bytes{size});
  return sizes;
}

// The curve that a test would give with those regimes, which begin at those sizes.
Observation measured(Observation test, const std::vector<std::pair<Bytes, RegimeValues>>& regimes, double answer) {
  test.curve.name = "made";
  for (const auto size : powers_of_two()) {
    const RegimeValues* regime = &regimes.front().second;
    for (const auto& [from, each] : regimes)
      if (size >= from)
        regime = &each;
    test.curve.points.push_back({size, predicted_value(*regime, test, static_cast<double>(size.count), answer)});
  }
  return test;
}

// At powers of four, for what does not depend on where regimes begin: how long these are searched grows with the square
// of the sizes.
Observation measured_at_few(Observation test, const std::vector<std::pair<Bytes, RegimeValues>>& regimes,
                            double answer) {
  test = measured(std::move(test), regimes, answer);
  std::erase_if(test.curve.points, [](const CurvePoint& point) { return std::countr_zero(point.size.count) % 2 != 0; });
  return test;
}

const std::vector<std::pair<Bytes, RegimeValues>> three_regimes{{Bytes{0}, values(0.4, 0.1, 0.5, 0.2)},
                                                                {Bytes{512}, values(0.5, 1.5, 0.9, 0.3)},
                                                                {Bytes{16384}, values(0.6, 20, 1.8, 0.8)}};

std::vector<std::uint64_t> starts_of(const CalibrationRecord& record) {
  std::vector<std::uint64_t> starts;
  for (const auto& regime : record.regimes.front())
    starts.push_back(regime.from.count);
  return starts;
}

CalibrationRecord calibrated(std::vector<Observation> tests) {
  return *calibrate(std::move(tests), {}, {});
}

TEST(Calibrate, FindsTheBreakpointsOfALatencyCurve) {
  const auto record = calibrated({measured(test_of(TestForm::one_way), three_regimes, 0)});
  EXPECT_EQ(starts_of(record), (std::vector<std::uint64_t>{0, 512, 16384}));
  EXPECT_LT(record.curves[0].mean, 0.002);
  EXPECT_LT(*record.curves[0].cross_validated, 0.06);
}

TEST(Calibrate, TellsOverheadFromGapWithABandwidthTest) {
  const double answer = predicted_value(three_regimes[0].second, test_of(TestForm::one_way), 4, 0);
  const auto record = calibrated({measured(test_of(TestForm::one_way), three_regimes, answer),
                                  measured(test_of(TestForm::window), three_regimes, answer)});
  const auto starts = starts_of(record);
  EXPECT_EQ(std::count(starts.begin(), starts.end(), 512), 1);
  EXPECT_EQ(starts.back(), 16384u);
  const auto& last = record.regimes.front().back();
  EXPECT_NEAR(in_microseconds(last.gap), 0.8, 0.1);
  EXPECT_NEAR(last.cap->value / 1e9, 1.8, 0.02);
  EXPECT_LT(record.curves[0].mean, 0.005);
  EXPECT_LT(record.curves[1].mean, 0.005);
}

TEST(Calibrate, IsNotSpoiledByAnOutlier) {
  auto test = measured(test_of(TestForm::one_way), three_regimes, 0);
  test.curve.points[5].value *= 2; // 32 B
  const auto record = calibrated({test});
  EXPECT_EQ(starts_of(record), (std::vector<std::uint64_t>{0, 512, 16384}));
  EXPECT_EQ(record.curves[0].outliers, std::vector<Bytes>{Bytes{32}});
  EXPECT_LT(record.curves[0].mean, 0.025); // one of 23 is off by a half
}

TEST(Calibrate, FollowsACurveThatFalls) {
  auto regimes = three_regimes;
  regimes.push_back({Bytes{262144}, values(0.6, 2, 1.9, 0.8)}); // from 20 us of setup to 2
  regimes[2].second.cap_byte[0] = 1e-3 / 0.5;
  const auto record = calibrated({measured(test_of(TestForm::one_way), regimes, 0)});
  EXPECT_EQ(starts_of(record), (std::vector<std::uint64_t>{0, 512, 16384, 262144}));
  EXPECT_LT(record.curves[0].mean, 0.005);
}

// Two lines that meet at 20000 B, between the sizes that were measured: a regime of the second from 32 KiB on would let
// the time fall there, from 35 to 29 us.
TEST(Calibrate, PutsABorderWhereTheLinesMeet) {
  const std::vector<std::pair<Bytes, RegimeValues>> regimes{{Bytes{0}, values(0.4, 0.1, 1, 0)},
                                                            {Bytes{32768}, values(0.4, 10.1, 2, 0)}};
  const auto record = calibrated({measured(test_of(TestForm::one_way), regimes, 0)});
  EXPECT_EQ(starts_of(record), (std::vector<std::uint64_t>{0, 19456}));
}

TEST(Calibrate, TakesNoRegimeThatGainsNothing) {
  const auto record = calibrated({measured(test_of(TestForm::one_way), {{Bytes{0}, values(0.4, 0.1, 0.5, 0)}}, 0)});
  EXPECT_EQ(starts_of(record), std::vector<std::uint64_t>{0});
}

TEST(Calibrate, KeepsTripsApart) {
  CalibrationOptions options;
  options.rendezvous = Bytes{2048};
  auto regimes = three_regimes;
  regimes[1].first = Bytes{128};
  regimes[2].first = Bytes{2048};
  regimes[2].second.trips = 3;
  const auto record = *calibrate({measured(test_of(TestForm::one_way), regimes, 0)}, options, {});
  EXPECT_EQ(starts_of(record), (std::vector<std::uint64_t>{0, 128, 2048}));
  EXPECT_EQ(record.regimes.front().back().trips, 3);
  EXPECT_NEAR(in_microseconds(record.regimes.front().back().send_overhead[0]), 10.6,
              0.1); // setup is given to the overheads
}

TEST(Calibrate, InfersARendezvousFromATimeThatFalls) {
  auto regimes = three_regimes;
  regimes.push_back({Bytes{262144}, values(0.6, 2, 1.9, 0.8)}); // from 20 us of setup to 2
  regimes[2].second.cap_byte[0] = 1e-3 / 0.5;
  const auto last_trips = [](const auto& record) { return record.regimes.front().back().trips; };
  const auto test = measured(test_of(TestForm::one_way), regimes, 0);
  EXPECT_EQ(last_trips(calibrated({test})), 3);
  CalibrationOptions options;
  options.infers_rendezvous = false;
  EXPECT_EQ(last_trips(*calibrate({test}, options, {})), 1);
  EXPECT_EQ(shown_rendezvous(std::vector{test}), Bytes{262144});
  EXPECT_EQ(shown_rendezvous(std::vector{measured(test_of(TestForm::one_way), three_regimes, 0)}), std::nullopt);
  auto window = test;
  window.form = TestForm::window;
  EXPECT_EQ(shown_rendezvous(std::vector{window}), std::nullopt);
}

TEST(Calibrate, WarnsOfWhatTheDataDoesNotTell) {
  const auto record = calibrated({measured(test_of(TestForm::one_way), three_regimes, 0)});
  ASSERT_FALSE(record.warnings.empty());
  EXPECT_EQ(
      record.warnings[0],
      "no bandwidth test: overheads, setup and gap cannot be separated; a core is taken to work at most 0.3 us, and "
      "copies are given to the cap. osu_bw or osu_mbw_mr shows them");
}

// What a network takes, that a latency shows, is mostly not the core's; TCP's cores work all the time.
TEST(Calibrate, GivesACoreLittleOfANetworksLatency) {
  const auto found = [](double overhead) {
    const auto test = measured_at_few(test_of(TestForm::one_way), {{Bytes{0}, values(overhead, 0, 1, 0)}}, 0);
    return calibrated({test}).regimes.front().front();
  };
  EXPECT_NEAR(in_microseconds(found(1).send_overhead[0]), 0.3, 1e-3);
  EXPECT_NEAR(in_microseconds(found(1).setup), 1.4, 0.05);
  EXPECT_NEAR(in_microseconds(found(0.2).send_overhead[0]), 0.2, 0.01);
  EXPECT_NEAR(in_microseconds(found(10).send_overhead[0]), 10, 0.1);
}

// Two cores that copy: a ping-pong shows the sum of what they do a byte, so each has half of it.
TEST(Calibrate, DividesCopiesBetweenTwoCores) {
  const auto sum = values(1, 0, 0, 0.5);
  CalibrationOptions options;
  options.cores_move_payload = true;
  const auto record = *calibrate({measured_at_few(test_of(TestForm::one_way), {{Bytes{0}, sum}}, 0)}, options, {});
  for (const auto& regime : record.regimes.front())
    EXPECT_EQ(regime.send_per_byte, regime.receive_per_byte);
}

// Two latency curves, of a host and a coprocessor and of two coprocessors, do not tell the kinds' overheads apart.
TEST(Calibrate, TiesWhatTwoLatencyCurvesDoNotTell) {
  auto host = test_of(TestForm::sendrecv);
  host.to_kind = DeviceKind::coprocessor;
  auto mics = test_of(TestForm::sendrecv);
  mics.from_kind = mics.to_kind = DeviceKind::coprocessor;
  mics.path_class = 1;
  auto regime = values(5, 0, 1, 0);
  regime.setup = {0, 7};
  regime.cap_byte = {0, 1e-3};
  const auto record =
      calibrated({measured_at_few(host, {{Bytes{0}, regime}}, 0), measured_at_few(mics, {{Bytes{0}, regime}}, 0)});
  for (const auto& found : record.regimes) {
    const auto& overhead = found.front().send_overhead;
    EXPECT_EQ(of_kind(overhead, DeviceKind::cpu), of_kind(overhead, DeviceKind::coprocessor));
  }
  EXPECT_NEAR(in_microseconds(record.regimes[1].front().setup), 7, 0.1);
  EXPECT_NE(std::find(record.warnings.begin(), record.warnings.end(),
                      "no bandwidth test: the overheads and copies of cpu and coprocessor cannot be separated, and are "
                      "tied: taken to be alike"),
            record.warnings.end());
}

// But a pair of hosts and a pair of GPUs on paths of one class do: 2 * 0.5 us and 2 * 1.5 us.
TEST(Calibrate, TellsKindsApartWithAPairOfEach) {
  const auto hosts = test_of(TestForm::one_way);
  auto gpus = hosts;
  gpus.from_kind = gpus.to_kind = DeviceKind::gpu;
  auto regime = values(0.5, 0, 1, 0);
  regime.send[static_cast<std::size_t>(DeviceKind::gpu)] = regime.receive[static_cast<std::size_t>(DeviceKind::gpu)] =
      1.5;
  const std::vector<std::pair<Bytes, RegimeValues>> regimes{{Bytes{0}, regime}};
  const auto record = calibrated({measured_at_few(hosts, regimes, 0), measured_at_few(gpus, regimes, 0)});
  for (const auto& found : record.regimes.front())
    EXPECT_NEAR(
        in_microseconds(of_kind(found.send_overhead, DeviceKind::gpu) - of_kind(found.send_overhead, DeviceKind::cpu)),
        1, 0.05);
}

TEST(Calibrate, SaysWhereElseAPlatformMayStateACap) {
  auto host = test_of(TestForm::sendrecv);
  auto mics = test_of(TestForm::sendrecv);
  mics.path_class = 1;
  mics.path_name = "across qpi";
  mics.limit_place = "in peer_limits: {}";
  auto regime = values(5, 0, 1, 0);
  regime.setup = {0, 0};
  regime.cap_byte = {0, 1e-3};
  const auto record =
      calibrated({measured_at_few(host, {{Bytes{0}, regime}}, 0), measured_at_few(mics, {{Bytes{0}, regime}}, 0)});
  EXPECT_EQ(record.warnings[0],
            "regime 0: the cap across qpi of 1000 MB/s holds for all longer messages; if the hardware sets this limit, "
            "state it in peer_limits: {}, 2000 MB/s both ways together, and it is no cap of the fabric");
}

TEST(Calibrate, SaysWhereACapIsThatOfSmallPackets) {
  auto test = test_of(TestForm::window);
  auto regime = values(1, 0, 1, 0);
  regime.cap_byte = {1e-3};
  const auto warned = [&](double mb_s) {
    test.small_packets = {"the pcie link a-b with packets of 128 B", BytesPerSecond{mb_s * 1e6}, "a field"};
    return calibrated({measured(test, {{Bytes{0}, regime}}, 0)}).warnings;
  };
  EXPECT_EQ(warned(1010).at(0),
            "regime 0: the cap of 1000 MB/s holds for all longer messages; the pcie link a-b with packets of 128 B "
            "carries 1010 MB/s; if the link has such packets, state a field there, and it is no cap of the fabric");
  for (const double far : {950, 1050})
    for (const auto& warning : warned(far))
      EXPECT_EQ(warning.find("holds for all"), std::string::npos) << warning;
}

TEST(Calibrate, CorrectsTheClosedFormByTheSimulation) {
  // A simulation in which everything takes 3 % longer than the closed form says.
  const auto test = measured(test_of(TestForm::one_way), three_regimes, 0);
  const auto simulate =
      [&](const std::vector<std::vector<Regime>>& regimes) -> Result<std::vector<std::vector<double>>> {
    std::vector<double> times;
    for (const auto& point : test.curve.points) {
      const Regime* regime = &regimes[0][0];
      for (const auto& each : regimes[0])
        if (each.covers(point.size))
          regime = &each;
      const double size = static_cast<double>(point.size.count);
      const double wire = std::max(1 / 2e3, regime->cap ? 1e6 / regime->cap->value : 0);
      times.push_back(1.03 * (2e6 * regime->send_overhead[0].value + in_microseconds(regime->setup) + 1 +
                              size * (2e6 * regime->send_per_byte[0].value + wire)));
    }
    return std::vector<std::vector<double>>{times};
  };
  const auto record = calibrate({test}, {}, simulate);
  ASSERT_TRUE(record);
  EXPECT_LT(record->curves[0].mean, 0.01);
  EXPECT_LT(*record->disagreement, 0.005);
}

// The time of both ends and of the setup, in us.
double constant_of(const Regime& regime) {
  return 2e6 * regime.send_overhead[0].value + in_microseconds(regime.setup);
}

// What regimes of a single class would give for a latency test in the closed form, times a factor for each size.
Simulate simulate_with(const Observation& test, std::function<double(Bytes, const Regime&)> factor) {
  return [=](const std::vector<std::vector<Regime>>& regimes) -> Result<Printed> {
    std::vector<double> times;
    for (const auto& point : test.curve.points) {
      const auto& regime = *std::ranges::find_if(regimes[0], [&](const auto& each) { return each.covers(point.size); });
      const double wire = std::max(1 / 2e3, regime.cap ? 1e6 / regime.cap->value : 0);
      times.push_back(factor(point.size, regime) *
                      (constant_of(regime) + 1 + static_cast<double>(point.size.count) * wire));
    }
    return Printed{times};
  };
}

// Each correction is three times too large: undamped, every round would be worse than the one before.
TEST(Calibrate, KeepsTheBestRoundWhereCorrectionsOvershoot) {
  const auto test = measured(test_of(TestForm::one_way), three_regimes, 0);
  const auto first = *calibrate({test}, {}, {});
  int rounds = 0;
  const auto simulate = simulate_with(test, [&](Bytes, const Regime& regime) {
    const double change = constant_of(regime) / constant_of(first.regimes[0].front());
    return 1.05 * change * change * change;
  });
  const auto counted_simulate = [&](const std::vector<std::vector<Regime>>& regimes) {
    ++rounds;
    return simulate(regimes);
  };
  CalibrationOptions options;
  options.most_regimes = 1;
  auto one = measured(test_of(TestForm::one_way), {{Bytes{0}, values(0.4, 0.1, 0.5, 0)}}, 0);
  const auto record = calibrate({one}, options, counted_simulate);
  ASSERT_TRUE(record);
  EXPECT_GT(rounds, 2);
  EXPECT_LT(record->curves[0].mean, 0.045); // it begins with 0.05
}

// Cross-validation judges what the simulation prints: here what it prints of sizes that a half does not see.
TEST(Calibrate, CrossValidatesWhatIsPrinted) {
  const auto test = measured(test_of(TestForm::one_way), {{Bytes{0}, values(0.4, 0.1, 0.5, 0)}}, 0);
  const auto same = calibrate({test}, {}, simulate_with(test, [](Bytes, const Regime&) { return 1.0; }));
  const auto uneven = calibrate({test}, {}, simulate_with(test, [](Bytes size, const Regime&) {
                                  return std::bit_width(size.count) % 2 == 1 ? 1.0 : 1.5;
                                }));
  ASSERT_TRUE(same && uneven);
  EXPECT_LT(*same->curves[0].cross_validated, 0.01);
  EXPECT_GT(*uneven->curves[0].cross_validated, 0.3);
}

// What is three times as slow as all others say is missed by two thirds of it, where it is not seen.
TEST(Calibrate, CrossValidatesAgainstWhatWasMeasured) {
  auto test = measured(test_of(TestForm::one_way), {{Bytes{0}, values(0.4, 0.1, 0.5, 0)}}, 0);
  test.curve.points.resize(12);
  test.curve.points[5].value *= 3;
  CalibrationOptions options;
  options.most_regimes = 1;
  const auto record = calibrate({test}, options, {});
  ASSERT_TRUE(record && record->curves[0].cross_validated);
  EXPECT_NEAR(*record->curves[0].cross_validated, 2.0 / 3 / 12, 0.02);
}

TEST(Calibrate, CrossValidatesFourSizesButNotThree) {
  auto test = measured(test_of(TestForm::one_way), three_regimes, 0);
  test.curve.points.resize(4);
  EXPECT_TRUE(calibrated({test}).curves[0].cross_validated);
  test.curve.points.resize(3);
  EXPECT_FALSE(calibrated({test}).curves[0].cross_validated);
}

TEST(Calibrate, WarnsOfMoreThanTheLinksCarry) {
  auto test = measured_at_few(test_of(TestForm::window), three_regimes, 4);
  test.curve.points.back().value = 2500;
  const auto record = calibrated({test});
  EXPECT_EQ(record.warnings[0],
            "made has 2500 MB/s where the path's narrowest link carries 2000: it is of another path, or a link is "
            "faster than the platform states");
}

TEST(ClosedForm, AnExchangesSecondMessageIsAStepBehind) {
  const auto test = test_of(TestForm::exchange);
  EXPECT_NEAR(predicted_value(values(0.5, 0, 1, 0.3), test, 1000, 0), 3 + 1.3, 1e-12); // the wire
  EXPECT_NEAR(predicted_value(values(4, 0, 1, 0.3), test, 1000, 0), 2 * 8, 1e-12);     // the cores
}

std::string fault_of(std::vector<Observation> tests, const CalibrationOptions& options) {
  const auto record = calibrate(std::move(tests), options, {});
  return record ? "" : to_text(record.errors().front());
}

TEST(Calibrate, RefusesOneSize) {
  auto test = measured(test_of(TestForm::one_way), three_regimes, 0);
  test.curve.file = "one.log";
  test.curve.points.resize(1);
  EXPECT_EQ(fault_of({test}, {}), "one.log: got 1 size with a value above zero, expected at least 2 sizes");
  test.curve.points.front().value = 0;
  EXPECT_EQ(fault_of({test}, {}), "one.log: got 0 sizes with a value above zero, expected at least 2 sizes");
}

TEST(Calibrate, RefusesOneRegimeOnBothSidesOfTheRendezvousSize) {
  CalibrationOptions options;
  options.most_regimes = 1;
  options.rendezvous = Bytes{2048};
  EXPECT_EQ(fault_of({measured(test_of(TestForm::one_way), three_regimes, 0)}, options),
            "--regimes: got 1, expected at least 2, since the sizes lie on both sides of --rendezvous");
  options.rendezvous = Bytes{1};
  EXPECT_EQ(fault_of({measured(test_of(TestForm::one_way), three_regimes, 0)}, options), "");
}

// The three regimes at more sizes than the search looks at, one of which is their breakpoint.
TEST(Calibrate, FindsBreakpointsAmongAThousandSizes) {
  auto test = measured(test_of(TestForm::one_way), three_regimes, 0);
  test.curve.points.clear();
  for (std::uint64_t size = 1; test.curve.points.size() < 1000; size += 1 + size / 64) {
    const auto& regime = three_regimes[size < 512 ? 0 : size < 16384 ? 1 : 2].second;
    test.curve.points.push_back({Bytes{size}, predicted_value(regime, test, static_cast<double>(size), 0)});
  }
  std::size_t steps = 0;
  const auto record = *calibrate({test}, {}, {}, [&](std::size_t, std::size_t all) { steps = all; });
  const auto starts = starts_of(record);
  ASSERT_EQ(starts.size(), 3u);
  EXPECT_TRUE(starts[1] >= 512 && starts[1] < 512 + 9) << starts[1];
  EXPECT_TRUE(starts[2] >= 16384 && starts[2] < 16384 + 257) << starts[2];
  EXPECT_LT(record.curves[0].mean, 0.002);
  EXPECT_LE(steps, 110u);
}

// One curve has a thousand sizes, another one the powers of two.
TEST(Calibrate, LooksAtSizesThatMostCurvesHave) {
  auto fine = test_of(TestForm::one_way);
  for (std::uint64_t size = 1; size <= 1000; ++size)
    fine.curve.points.push_back({Bytes{size}, 1});
  auto coarse = measured(test_of(TestForm::window), three_regimes, 1);
  coarse.curve.points.resize(10); // to 512 B
  const auto chosen = representatives(std::array{fine, coarse}, Bytes{1}, Bytes{1000});
  EXPECT_EQ(chosen, sizes_of(std::array{coarse}));
}

// The last two of twelve sizes are of a regime of their own.
TEST(Calibrate, LetsFewSizesBeARegimeOnlyIfTheyGainMore) {
  auto test = measured(test_of(TestForm::one_way),
                       {{Bytes{0}, values(0.4, 0, 0.5, 0)}, {Bytes{1024}, values(0.4, 9, 0.5, 0)}}, 0);
  test.curve.points.resize(12);
  const auto fewest = [&](double thin_penalty) {
    CalibrationOptions options;
    options.thin_penalty = thin_penalty;
    std::size_t fewest = test.curve.points.size();
    for (const auto& fit : best_ranges(problem_of(std::array{test}, options), options, {}))
      fewest = std::min(fewest, representatives(std::array{test}, fit.range.from, fit.range.to).size());
    return fewest;
  };
  EXPECT_EQ(fewest(0), 2u);
  EXPECT_GT(fewest(1), 2u);
}

// Every second point is slower by a fifth. To meet the others exactly would be wrong by half a point in all, and too
// fast.
TEST(Calibrate, PromisesNoMoreThanWasMeasured) {
  for (const auto form : {TestForm::one_way, TestForm::window}) {
    auto test = test_of(form);
    for (std::uint64_t size = 1; size <= 32; size *= 2)
      test.curve.points.push_back({Bytes{size}, form == TestForm::one_way ? 2.0 : static_cast<double>(size)});
    for (std::size_t i = 0; i < test.curve.points.size(); i += 2) // as often slower
      test.curve.points[i].value *= form == TestForm::one_way ? 1.2 : 1 / 1.2;
    const std::array tests{test};
    const auto problem = problem_of(tests, {});
    const auto fit = fit_range(problem, {Bytes{1}, Bytes{32}, 1}, Effort::full);
    double mean = 0;
    for (const auto& [size, value] : test.curve.points)
      mean += predicted_value(fit.values, test, static_cast<double>(size.count), problem.answer) / value - 1;
    if (form == TestForm::one_way)
      EXPECT_GT(mean, -0.2);
    else
      EXPECT_LT(mean, 0.2);
  }
}

TEST(Calibrate, DoesNotHalveACurveThatHasOnePoint) {
  const double answer = predicted_value(three_regimes[0].second, test_of(TestForm::one_way), 4, 0);
  auto lone = measured(test_of(TestForm::one_way), three_regimes, answer);
  lone.curve.points = {lone.curve.points[2]};
  const auto record = calibrated({lone, measured(test_of(TestForm::window), three_regimes, answer)});
  EXPECT_FALSE(record.curves[0].cross_validated);
  ASSERT_TRUE(record.curves[1].cross_validated);
  EXPECT_LT(*record.curves[1].cross_validated, 0.3);
}

TEST(Calibrate, TakesNoMoreRegimesThanAThirdOfTheSizes) {
  auto test = measured(test_of(TestForm::one_way), three_regimes, 0);
  std::erase_if(test.curve.points, [](const CurvePoint& point) { return point.size.count % 64 != 0; });
  test.curve.points.resize(8);
  EXPECT_LE(starts_of(calibrated({test})).size(), 2u);
}

TEST(Calibrate, WarnsOfACurveThatItDoesNotMeet) {
  auto test = measured(test_of(TestForm::one_way), three_regimes, 0);
  for (std::size_t i = 0; i < test.curve.points.size(); i += 2)
    test.curve.points[i].value = 1000;
  const auto record = calibrated({test});
  EXPECT_TRUE(std::ranges::any_of(record.warnings, [](const std::string& warning) {
    return warning.starts_with("made is not fitted: the best regimes are off by ");
  }));
}

// A latency and a bandwidth curve of one regime whose constants are drawn by chance, with 2 % of noise.
struct NoisyCase {
  RegimeValues truth;
  std::vector<Observation> tests;
};
NoisyCase noisy_case(std::mt19937& dice) {
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, static_cast<double>(dice()) / static_cast<double>(std::mt19937::max()));
  };
  const auto noise = [&] { // nearly Gaussian
    double sum = 0;
    for (int i = 0; i < 12; ++i)
      sum += static_cast<double>(dice()) / static_cast<double>(std::mt19937::max()) - 0.5;
    return std::exp(0.02 * sum);
  };
  NoisyCase made{values(between(0.2, 2), between(0.2, 3), between(0.5, 1.8), between(0.05, 5)), {}};
  made.truth.send_byte.fill(between(1e-5, 2e-4));
  made.truth.receive_byte = made.truth.send_byte;
  const double answer = predicted_value(made.truth, test_of(TestForm::one_way), 4, 0);
  for (const auto form : {TestForm::one_way, TestForm::window}) {
    auto& test = made.tests.emplace_back(test_of(form));
    for (std::uint64_t size = 4; size <= 4 << 20; size *= 4)
      test.curve.points.push_back(
          {Bytes{size}, noise() * predicted_value(made.truth, test, static_cast<double>(size), answer)});
  }
  return made;
}

// Of ranges that tell something; those of parameters that the curves do not tell apart hold the truth nearly always.
TEST(Certainty, RangesHoldTheTruthInFourOfFiveCases) {
  constexpr int fits = 200;
  int ranges = 0;
  int hold = 0;
  std::mt19937 dice(1);
  for (int i = 0; i < fits; ++i) {
    const auto [truth, tests] = noisy_case(dice);
    const auto problem = problem_of(tests, {});
    const auto fit = fit_range(problem, {Bytes{4}, Bytes{4 << 20}, 1}, Effort::quick);
    const auto sure = certainty_of(problem, fit);
    const auto count = [&](double low, double value, double high) {
      if (high > 3 * low)
        return;
      ++ranges;
      hold += low <= value && value <= high;
    };
    count(sure.low.send[0], truth.send[0], sure.high.send[0]);
    count(sure.low.send_byte[0], truth.send_byte[0], sure.high.send_byte[0]);
    count(sure.low.setup[0], truth.setup[0], sure.high.setup[0]);
    count(sure.low.cap_byte[0], truth.cap_byte[0], sure.high.cap_byte[0]);
    count(sure.low.gap, truth.gap, sure.high.gap);
  }
  EXPECT_GT(ranges, 2 * fits);
  EXPECT_GE(hold, 0.75 * ranges) << ranges;
  EXPECT_LE(hold, 0.85 * ranges) << ranges;
}

// What is within a factor of three is known; a sum of unknown ones within a factor of one and a half.
TEST(Certainty, IsToldWhereItIsMissing) {
  const std::vector tests{measured(test_of(TestForm::one_way), three_regimes, 0),
                          measured(test_of(TestForm::window), three_regimes, 0)};
  const auto problem = problem_of(tests, {});
  const std::vector<RangeFit> ranges{{{Bytes{1}, Bytes{4 << 20}, 1}, values(0.5, 0.5, 1, 1), 0}};
  const auto warned = [&](std::vector<CalibratedParameter> parameters, double most_of_sum = 9) {
    Certainty sure;
    sure.constants = {{1, most_of_sum}};
    return warnings_of(problem, ranges, std::array{sure}, parameters, {});
  };
  EXPECT_TRUE(warned({{0, "gap", "us", 1, 0.5, 1.45}}).empty());
  EXPECT_EQ(warned({{0, "gap", "us", 1, 0.5, 1.55}}),
            std::vector<std::string>{"regime 0: the data does not determine gap (0.5 to 1.55 us)"});
  const std::vector<CalibratedParameter> tied{{0, "o_send cpu", "us", 0.5, 0, 0.9}, {0, "setup", "us", 0.5, 0, 1.8}};
  EXPECT_EQ(warned(tied, 1.6).size(), 2U);
  EXPECT_EQ(warned(tied, 1.4),
            std::vector<std::string>{"regime 0: o_send cpu, setup cannot be separated; their sum, the time of a "
                                     "message of no bytes, is determined: 1 to 1.4 us"});
}

// Where the gap sets the pace, an overhead of 0.5 us at both ends and a setup of 0.8 us are only known as 1.8 us.
TEST(Certainty, SaysWhatIsOnlyKnownAsASum) {
  const std::vector<std::pair<Bytes, RegimeValues>> regime{{Bytes{0}, values(0.5, 0.8, 1, 2)}};
  const double answer = predicted_value(regime[0].second, test_of(TestForm::one_way), 4, 0);
  const auto record = calibrated(
      {measured(test_of(TestForm::one_way), regime, answer), measured(test_of(TestForm::window), regime, answer)});
  for (const auto& each : record.parameters)
    if (each.name == "o_send cpu") {
      EXPECT_LE(each.low, 0.5);
      EXPECT_GE(each.high, 0.5);
    } else if (each.name == "setup") {
      EXPECT_LE(each.low, 0.8);
      EXPECT_GE(each.high, 0.8);
    }
  const auto tie = std::ranges::find_if(record.warnings, [](const std::string& warning) {
    return warning.starts_with("regime 0: o_send cpu, o_recv cpu, setup cannot be separated; their sum, the time of a "
                               "message of no bytes, is determined: 1.");
  });
  EXPECT_NE(tie, record.warnings.end());
}

} // namespace
} // namespace kakehashi
