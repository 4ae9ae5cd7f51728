#include "calibration/cross_validation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kakehashi {
namespace {

// Every second of the measured sizes, from the first and from the second on.
std::array<std::vector<Bytes>, 2> halves_of(std::span<const Observation> tests) {
  std::array<std::vector<Bytes>, 2> halves;
  const auto sizes = sizes_of(tests);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    halves[i % 2].push_back(sizes[i]);
  return halves;
}

bool contains(const std::vector<Bytes>& sizes, Bytes size) {
  return std::binary_search(sizes.begin(), sizes.end(), size);
}

// Whether both halves see enough of a test.
bool can_be_halved(const Observation& test, const std::array<std::vector<Bytes>, 2>& halves) {
  return std::all_of(halves.begin(), halves.end(), [&](const auto& half) {
    return std::count_if(test.curve.points.begin(), test.curve.points.end(),
                         [&](const CurvePoint& point) { return point.value > 0 && contains(half, point.size); }) >= 2;
  });
}

// For a size that the fit did not see: where it lies between two regimes, the better one is assumed, since that is how
// libraries choose their thresholds.
double predict_unseen(const FitProblem& problem, const std::vector<SegmentFit>& segments, const Observation& test,
                      Bytes size) {
  const auto of = [&](const SegmentFit& segment) {
    return predicted_value(segment.values, test, static_cast<double>(size.count), problem.answer);
  };
  const auto& segment = segment_for(segments, size);
  const bool is_between = size > segment.range.to && &segment != &segments.back();
  if (!is_between)
    return of(segment);
  const auto& next = *(&segment + 1);
  return is_window(test.form) ? std::max(of(segment), of(next)) : std::min(of(segment), of(next));
}

} // namespace

std::vector<std::optional<double>> cross_validate(std::span<const Observation> tests, const CalibrationOptions& options,
                                                  const StepDone& step) {
  const auto halves = halves_of(tests);
  std::vector<bool> halved;
  for (const auto& test : tests)
    halved.push_back(can_be_halved(test, halves));
  std::vector<double> sums(tests.size());
  std::vector<std::size_t> counts(tests.size());
  for (const auto& seen : halves) {
    auto half = only_sizes(tests, seen);
    for (std::size_t t = 0; t < tests.size(); ++t)
      if (!halved[t])
        half[t] = tests[t];
    if (std::find(halved.begin(), halved.end(), true) == halved.end())
      break;
    const auto problem = problem_of(half, options);
    const auto segments = best_segments(problem, options, step);
    for (std::size_t t = 0; t < tests.size(); ++t)
      for (const auto& point : tests[t].curve.points) {
        if (!halved[t] || contains(seen, point.size) || point.value <= 0 ||
            (is_window(tests[t].form) && point.size < Bytes{8}))
          continue;
        sums[t] += std::abs(predict_unseen(problem, segments, tests[t], point.size) - point.value) / point.value;
        ++counts[t];
      }
  }
  std::vector<std::optional<double>> means;
  for (std::size_t t = 0; t < tests.size(); ++t)
    means.push_back(counts[t] >= 4 ? std::optional(sums[t] / static_cast<double>(counts[t])) : std::nullopt);
  return means;
}

} // namespace kakehashi
