// A fitted regime → between what its parameters lie, as far as the curves show.
//
// A parameter's range holds all values with which the regime can still meet the curves, whatever its other parameters
// then are (profile likelihood). What is allowed is a sum of squares that measurements of the same scatter have in four
// of five cases, by Student's t. So of parameters that only count as a sum each has a wide range, and the sum a small
// one.
#pragma once

#include "calibration/range_fit.hpp"

#include <utility>

namespace kakehashi {

// Student's t that nine in ten are below, of so many degrees of freedom.
double nine_tenths(std::size_t freedom);

struct Certainty {
  RegimeValues low; // of each parameter, whatever the others are
  RegimeValues high;
  // For each path class, between what the one-way time of no bytes lies without the links' latency, us: of the ends'
  // overheads and the setup together.
  std::vector<std::pair<double, double>> constants;
};

Certainty certainty_of(const FitProblem& problem, const RangeFit& fit);

} // namespace kakehashi
