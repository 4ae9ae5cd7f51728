// The points of one range of sizes → the regime that meets them with the least error.
#pragma once

#include "calibration/closed_form.hpp"

#include <span>

namespace kakehashi {

// Which parameters the tests can tell apart; the others stay zero.
struct ParameterSet {
  bool cores_move_payload = false; // send and receive apart, no wire
  bool has_window = false;         // a stream of messages tells overheads from setup, and gives the gap
  std::vector<DeviceKind> kinds;   // of endpoints
  std::size_t path_classes = 1;
  std::vector<std::string> path_names; // of each class
  std::vector<double> link_byte; // for each path class: time of a byte on its narrowest link, us; 0 if nothing is known

  // One curve of latencies has one slope: it is given to the cap, not to copies.
  bool tells_copies() const { return has_window || cores_move_payload || path_classes > 1; }
  // Latencies give a path the sum of its ends only: one curve a path never has as many constants as two kinds of ends
  // and their setups. Both kinds are then taken to be alike, and a path's setup and cap hold what it has more.
  bool kinds_are_alike() const { return kinds.size() > 1 && (path_classes == 1 || !has_window); }
};
std::size_t parameter_count(const ParameterSet& parameters); // of one regime
ParameterSet parameters_of(std::span<const Observation> tests, bool cores_move_payload);

// Everything that a fit needs to know beside the sizes.
struct FitProblem {
  std::span<const Observation> tests;
  ParameterSet parameters;
  double answer = 0; // one-way time of a 4-byte message, us
};

// A range of sizes [from, to], both measured ones.
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

// The parameters that are searched for are positive, so the search goes over their logarithms (us, us/B).
RegimeValues from_logarithms(const ParameterSet& set, int trips, const std::vector<double>& logarithms);
std::vector<double> to_logarithms(const ParameterSet& set, RegimeValues values);

// The names and values of the parameters that were fitted, for reports: "o_send cpu", "cap", ….
struct NamedParameter {
  std::string name;
  std::string unit; // us, ns/B, MB/s
  double value = 0;
};
std::vector<NamedParameter> named_values(const ParameterSet& parameters, const RegimeValues& values);

} // namespace kakehashi
