// A fitted regime → the range of each of its parameters that the curves allow.
//
// A parameter's range contains all values with which the regime can still fit the curves, whatever its other parameters
// then are (profile likelihood). The allowed sum of squares is the one that measurements of the same scatter have in
// four of five cases, by Student's t. So parameters that count only as a sum each have a wide range, and their sum has
// a narrow one.
#pragma once

#include "calibration/range_fit.hpp"

#include <utility>

namespace kakehashi {

// Returns the value of Student's t below which nine in ten are, for that many degrees of freedom.
double nine_tenths(std::size_t freedom);

struct Certainty {
  RegimeValues low; // of each parameter, whatever the others are
  RegimeValues high;
  // For each path class: the range of the one-way time of no bytes without the links' latency, in us. It is the sum of
  // the overheads of both ends and the setup.
  std::vector<std::pair<double, double>> constants;
};

Certainty certainty_of(const FitProblem& problem, const RangeFit& fit);

} // namespace kakehashi
