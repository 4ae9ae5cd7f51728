// Measured sizes → the ranges that are each fitted best by one regime.
//
// Dynamic programming finds the breakpoints with the least cost: the sum over the curves of their mean relative error
// (and of the mean of errors on the fast side, so that no regime promises more than was measured), plus a penalty for
// each regime. If there are many sizes, representatives of each octave stand for all; a breakpoint then moves, between
// its two representatives, to where the two regimes have the least error.
#pragma once

#include "calibration/range_fit.hpp"

#include <functional>

namespace kakehashi {

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

} // namespace kakehashi
