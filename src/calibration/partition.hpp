// Measured sizes → the ranges that one regime each meets best.
//
// Breakpoints are found by dynamic programming: the least sum over the curves of their mean relative error (and of
// its mean as far as it is on the side of too fast, so that no regime promises more than was measured), plus a penalty
// for each regime. With many sizes, representatives of each octave stand for all; a breakpoint is then put between the
// two that it was found between, where the two regimes err least.
#pragma once

#include "calibration/range_fit.hpp"

#include <functional>

namespace kakehashi {

struct CalibrationOptions {
  int most_regimes = 4;            // and no more than a third of the sizes
  double penalty = 0.0125;         // mean error that a further regime must gain
  double thin_penalty = 0.002;     // likewise, for each size that a regime has less than three
  std::optional<Bytes> rendezvous; // first size that takes three trips; none: all take one
  bool infers_rendezvous = true;   // if none is stated and a time of one message shows it
  bool cores_move_payload = false;

  int trips_at(Bytes size) const { return rendezvous && size >= *rendezvous ? 3 : 1; }
};

// Told after each step; how many there will be is steps_of.
using StepDone = std::function<void()>;

// The sizes that a curve has a value above zero for.
std::vector<Bytes> sizes_of(std::span<const Observation> tests);

// At most about 50 of the sizes from one to another: all, or some of each octave.
std::vector<Bytes> representatives(std::span<const Observation> tests, Bytes from, Bytes to);
// The tests, at those sizes alone if there are more from one to the other.
std::vector<Observation> thinned(std::span<const Observation> tests, Bytes from, Bytes to);
std::vector<Observation> only_sizes(std::span<const Observation> tests, std::span<const Bytes> sizes);

// The first size at which the time of a lone message falls, or grows by less than half of what the further bytes need
// at the curve's best rate: its data flow otherwise from there on, as they do once the receiver has asked for them.
// Sizes whose bytes do not matter beside the latency show nothing.
std::optional<Bytes> shown_rendezvous(std::span<const Observation> tests);

FitProblem problem_of(std::span<const Observation> tests, const CalibrationOptions& options);

// The best partition into regimes, and the regimes. At least one size.
std::vector<RangeFit> best_ranges(const FitProblem& problem, const CalibrationOptions& options, const StepDone& step);
std::size_t steps_of(std::span<const Observation> tests); // of best_ranges

// The regime of a range again, from the start.
RangeFit refit(const FitProblem& problem, const SizeRange& range);

// Where the regime above begins: at its first measured size; but if a lone message's time would fall there, and no
// measured one does, between that and the last size below, where it falls least.
Bytes border_between(const FitProblem& problem, const RangeFit& below, const RangeFit& above);

// The regime that a size belongs to: a breakpoint is the first measured size of the regime above it.
const RangeFit& range_for(const std::vector<RangeFit>& ranges, Bytes size);

} // namespace kakehashi
