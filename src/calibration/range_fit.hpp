// The points in one range of sizes → the regime that fits them with the least error.
#pragma once

#include "calibration/closed_form.hpp"

#include <span>

namespace kakehashi {

// The parameters that the tests can distinguish; the others stay zero.
struct ParameterSet {
  bool cores_move_payload = false; // sending and receiving have costs of their own, and there is no wire
  bool has_window = false;         // a stream of messages separates overheads from setup, and gives the gap
  std::vector<DeviceKind> kinds;   // of the endpoints
  std::size_t path_classes = 1;
  std::vector<std::string> path_names; // of each path class
  std::vector<double> link_byte;       // for each path class: time of a byte on its narrowest link, us; 0: unknown

  // One curve of latencies has one slope, which becomes the cap's and not the copies'.
  bool tells_copies() const { return has_window || cores_move_payload || path_classes > 1; }
  // Where cores move the payload, latencies show only the sum of what sender and receiver do a byte: each then has half
  // of it. Any other division fits as well, and would make a stream of segments slower. Overheads keep the division of
  // the search: with halves of these, collectives of five clusters are predicted with 25 % of error in place of 24.
  bool tells_copies_of_ends() const { return cores_move_payload && has_window; }
  // Latencies show only the sum of a path's two ends, so one curve per path cannot give the constants of two kinds of
  // ends and their setups. Then both kinds count as equal, and a path's setup and cap hold the rest.
  bool kinds_are_alike() const { return kinds.size() > 1 && (path_classes == 1 || !has_window); }
};
std::size_t parameter_count(const ParameterSet& parameters); // for one regime
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

} // namespace kakehashi
