// The steps of a calibration: observations → parts of the sizes → fitted values, how certain these are, and warnings.
#pragma once

#include "base/error.hpp"
#include "model/benchmark_fields.hpp"
#include "model/curve.hpp"
#include "model/platform.hpp"
#include "result/calibration.hpp"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace kakehashi {

// An input of calibration: a measured curve, its test, and the path that the test used.
constexpr bool is_window(TestForm form) {
  return form == TestForm::window || form == TestForm::window_both_ways;
}

// The rate of a link whose packets are small.
struct PacketLimit {
  std::string what; // "the pcie link hpc01.cpu1-hpc01.hca with packets of 128 B"
  BytesPerSecond rate;
  std::string field; // the field that states the packets' size
};

struct Observation {
  Curve curve; // times in us, or MB/s of 10^6 B
  TestForm form = TestForm::one_way;
  int window = 64;

  // The path:
  DeviceKind from_kind = DeviceKind::cpu;
  DeviceKind to_kind = DeviceKind::cpu;
  Seconds trip;                             // one latency, one way
  std::optional<Bytes> fetched_from;        // the smallest eager size that the adapter fetches from memory
  Seconds fetch;                            // time of the fetch
  std::optional<BytesPerSecond> narrowest;  // capacity of the route
  std::size_t path_class = 0;               // the index of the fabric's rule; paths of one class share caps and setups
  std::string path_name;                    // name of the class, for reports
  std::string limit_place;                  // where the platform may state the limit of the path's rate; empty: unknown
  std::optional<PacketLimit> small_packets; // if it is less than `narrowest`
};

// A function of several numbers and a start → the numbers of the nearest minimum (Nelder and Mead's simplex method).
struct Minimum {
  std::vector<double> at;
  double value = 0;
};

// `step` is the size of the first simplex. It ends after `evaluations` evaluations, or when the simplex is flat.
Minimum minimise(const std::function<double(const std::vector<double>&)>& function, std::vector<double> start,
                 double step, int evaluations);

// The parameters of a regime → the result of a test, if nothing else used the machine.

// The parameters of one regime for all path classes, in us and us/B. If cores move the payload, sending and receiving
// have costs of their own; otherwise the cost at an end is the same for both.
struct RegimeValues {
  int trips = 1;
  PerKind<double> send{};
  PerKind<double> receive{};
  PerKind<double> send_byte{};
  PerKind<double> receive_byte{};
  std::vector<double> setup;    // the setup of each path class
  std::vector<double> cap_byte; // time of a byte under the cap for each path class; 0: no cap
  double gap = 0;
};

// Returns the one-way time of a message, in us.
double one_way_time(const RegimeValues& regime, const Observation& test, double size);

// Returns the test's result for this size, in the unit of its curve. `answer` is the one-way time of the 4-byte answer,
// in us.
double predicted_value(const RegimeValues& regime, const Observation& test, double size, double answer);

// The points in one range of sizes → the regime that fits them with the least error.

// The parameters that the tests can distinguish; the others stay zero.
struct ParameterSet {
  bool cores_move_payload = false; // sending and receiving have costs of their own, and there is no wire
  bool has_window = false;         // a stream of messages separates overheads from setup, and gives the gap
  std::vector<DeviceKind> kinds;   // kinds of the endpoints
  std::size_t path_classes = 1;
  std::vector<std::string> path_names; // path names of each path class
  std::vector<double> link_byte;       // time of a byte on the narrowest link of each path class, us; 0: unknown
  bool has_pair_of_each_kind = false;  // between two ends of it, and all of these on paths of one class

  // One curve of latencies has one slope, which becomes the cap's and not the copies'.
  bool tells_copies() const { return has_window || cores_move_payload || path_classes > 1 || has_pair_of_each_kind; }
  // Where cores move the payload, latencies show only the sum of what sender and receiver do a byte: each then has half
  // of it. Any other division fits as well, and would make a stream of segments slower. Overheads keep the division of
  // the search: with halves of these, collectives of five clusters are predicted with 25 % of error in place of 24.
  bool tells_copies_of_ends() const { return cores_move_payload && has_window; }
  // Latencies show only the sum of a path's two ends, so one curve per path cannot give the constants of two kinds of
  // ends and their setups. Then both kinds count as equal, and a path's setup and cap hold the rest. But paths of one
  // class have one setup and one cap: what a pair of GPUs takes more there than a pair of CPUs is the GPUs'.
  bool kinds_are_alike() const {
    return kinds.size() > 1 && !has_pair_of_each_kind && (path_classes == 1 || !has_window);
  }
  // Nor do latencies show what of a message's constant time a core works. Where an adapter moves the payload, windows
  // of four networks from 2014 to 2020 show 0.03 to 0.16 us at each end for short messages, and up to 0.6 for longer
  // ones.
  bool shares_constant() const {
    return !has_window && !cores_move_payload && path_classes == 1 && kinds == std::vector{DeviceKind::cpu};
  }
};
std::size_t parameter_count(const ParameterSet& parameters); // number of one regime's parameters
ParameterSet parameters_of(std::span<const Observation> tests, bool cores_move_payload);

// Everything that a fit needs besides the sizes.
struct FitProblem {
  std::span<const Observation> tests;
  ParameterSet parameters;
  double answer = 0; // one-way time of a 4-byte message, us
};

// A range of sizes [from, to]; both were measured.
struct SizeRange {
  Bytes from;
  Bytes to;
  int trips = 1;
};

struct RangeFit {
  SizeRange range;
  RegimeValues values;
  double cost = 0; // sum over the tests of their share of the mean error, with the penalty for bias
};

enum class Effort { quick, full };

RangeFit fit_range(const FitProblem& problem, const SizeRange& range, Effort effort);

// The search is over logarithms, since the parameters are positive (us, us/B).
RegimeValues from_logarithms(const ParameterSet& set, int trips, const std::vector<double>& logarithms);
std::vector<double> to_logarithms(const ParameterSet& set, RegimeValues values);

// A fitted parameter for reports: "o_send cpu", "cap", ….
struct NamedParameter {
  std::string name;
  std::string unit; // us, ns/B, MB/s
  double value = 0;
};
std::vector<NamedParameter> named_values(const ParameterSet& parameters, const RegimeValues& values);

// Measured sizes → the ranges that are each fitted best by one regime.
//
// Dynamic programming finds the breakpoints with the least cost: the sum over the curves of their mean relative error
// (and of the mean of errors on the fast side, so that no regime promises more than was measured), plus a penalty for
// each regime. If there are many sizes, representatives of each octave stand for all; a breakpoint then moves, between
// its two representatives, to where the two regimes have the least error.
struct CalibrationOptions {
  int most_regimes = 4;            // and at most a third of the number of sizes
  double penalty = 0.0125;         // the gain of mean error that a further regime needs
  double thin_penalty = 0.002;     // the same for each size by which a regime has fewer than three
  std::optional<Bytes> rendezvous; // the smallest size that takes three trips; none: all sizes take one
  bool infers_rendezvous = true;   // if none is stated and the time of single messages shows it
  bool cores_move_payload = false;

  int trips_at(Bytes size) const { return rendezvous && size >= *rendezvous ? 3 : 1; }
};

// Is called after each step; steps_of gives their number.
using StepDone = std::function<void()>;

// Returns the sizes at which a curve has a value above zero.
std::vector<Bytes> sizes_of(std::span<const Observation> tests);

// Returns at most about 50 of the sizes in a range: all, or some of each octave.
std::vector<Bytes> representatives(std::span<const Observation> tests, Bytes from, Bytes to);
// Returns the tests with only these sizes if the range has more.
std::vector<Observation> thinned(std::span<const Observation> tests, Bytes from, Bytes to);
std::vector<Observation> only_sizes(std::span<const Observation> tests, std::span<const Bytes> sizes);

// Returns the first size at which the time of a lone message falls, or grows by less than half of what the further
// bytes need at the curve's best rate. From there on its data flows in another way, as it does once the receiver has
// agreed. Sizes whose bytes matter little beside the latency show nothing.
std::optional<Bytes> shown_rendezvous(std::span<const Observation> tests);

FitProblem problem_of(std::span<const Observation> tests, const CalibrationOptions& options);

// Returns the ranges of the best partition and their regimes. There must be at least one size.
std::vector<RangeFit> best_ranges(const FitProblem& problem, const CalibrationOptions& options, const StepDone& step);
std::size_t steps_of(std::span<const Observation> tests); // the number of steps that best_ranges takes

// Fits the regime of a range again, from the start.
RangeFit refit(const FitProblem& problem, const SizeRange& range);

// Returns the size at which the regime above begins: its first measured size. But if a lone message's time would fall
// there and no measured time does, it is the size between that and the last size below at which the time falls least.
Bytes border_between(const FitProblem& problem, const RangeFit& below, const RangeFit& above);

// Returns the regime of a size; a breakpoint is the first measured size of the regime above it.
const RangeFit& range_for(const std::vector<RangeFit>& ranges, Bytes size);

// The regimes that the closed form finds best, and a simulation → regimes with which the simulation agrees.

// A value for each test and point of its curve, in the curve's unit.
using Printed = std::vector<std::vector<double>>;

// Simulates each test with these regimes, one list for each path class.
using Simulate = std::function<Result<Printed>(const std::vector<std::vector<Regime>>&)>;

inline constexpr int most_corrections = 8;

// Returns the regimes of each path class, rounded as in the platform file.
std::vector<std::vector<Regime>> to_regimes(const FitProblem& problem, const std::vector<RangeFit>& ranges);

// Returns the tests' results with these ranges: simulated, or in closed form if there is no simulation.
Result<Printed> print(const FitProblem& problem, const std::vector<RangeFit>& ranges, const Simulate& simulate);

struct Agreed {
  std::vector<Observation> tests; // with the values to which the ranges were fitted
  std::vector<RangeFit> ranges;
  Printed found;
  std::optional<double> disagreement; // between closed form and simulation, beyond the correction
};

// Fits the parameters of the ranges again and again, to curves corrected by the difference between simulation and
// closed form, until both agree. The round that fits the curves best counts. After a worse round, only a part of the
// correction is tried.
Result<Agreed> agree(const std::vector<Observation>& tests, const CalibrationOptions& options,
                     std::vector<RangeFit> ranges, const Simulate& simulate, const StepDone& step);

// A fitted regime → the range of each of its parameters that the curves allow.
//
// A parameter's range contains all values with which the regime can still fit the curves, whatever its other parameters
// then are (profile likelihood). The allowed sum of squares is the one that measurements of the same scatter have in
// four of five cases, by Student's t. So parameters that count only as a sum each have a wide range, and their sum has
// a narrow one.

// Returns the value of Student's t below which nine in ten are, for that many degrees of freedom.
double nine_tenths(std::size_t freedom);

struct Certainty {
  RegimeValues low; // the lowest value of each parameter, whatever the others are
  RegimeValues high;
  // For each path class: the range of the one-way time of no bytes without the links' latency, in us. It is the sum of
  // the overheads of both ends and the setup.
  std::vector<std::pair<double, double>> constants;
};

Certainty certainty_of(const FitProblem& problem, const RangeFit& fit);

// Measured curves → how well a fit to half of their sizes predicts the other half.

// Returns for each test the mean error on the sizes that a fit to every second size did not use, over both halves. The
// prediction is simulated with the regimes of that fit, if there is a simulation. Bandwidths count from 8 B on. Nothing
// for a test of which a half would have fewer than two points; both halves use such a test completely. Errors: those of
// the simulation.
Result<std::vector<std::optional<double>>> cross_validate(std::span<const Observation> tests,
                                                          const CalibrationOptions& options, const Simulate& simulate,
                                                          const StepDone& step);

// A fit → warnings about what its user should not rely on.
inline constexpr double outlier = 0.25; // limit for |error| of a point, and for the mean of a curve

// Warns of curves that exceed their links, curves that are not fitted well, parameters that the tests cannot
// distinguish, regimes for few sizes, and uncertain parameters.
std::vector<std::string> warnings_of(const FitProblem& problem, const std::vector<RangeFit>& ranges,
                                     std::span<const Certainty> certainties,
                                     std::span<const CalibratedParameter> parameters,
                                     std::span<const CalibratedCurve> curves);

} // namespace kakehashi
