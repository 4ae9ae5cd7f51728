#include "calibration/fit_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kakehashi {
namespace {

// Returns every second measured size, from the first and from the second on.
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

// Whether both halves have enough points of a test.
bool can_be_halved(const Observation& test, const std::array<std::vector<Bytes>, 2>& halves) {
  return std::all_of(halves.begin(), halves.end(), [&](const auto& half) {
    return std::count_if(test.curve.points.begin(), test.curve.points.end(),
                         [&](const CurvePoint& point) { return point.value > 0 && contains(half, point.size); }) >= 2;
  });
}

// Simulates all sizes, and returns the results for the sizes of one half.
Simulate at_half(const Simulate& simulate, std::span<const Observation> tests, std::span<const Observation> half) {
  if (!simulate)
    return {};
  return [&simulate, tests, half](const std::vector<std::vector<Regime>>& regimes) -> Result<Printed> {
    const auto all = simulate(regimes);
    if (!all)
      return all.errors();
    Printed seen(half.size());
    for (std::size_t t = 0; t < half.size(); ++t)
      for (std::size_t i = 0, next = 0; next < half[t].curve.points.size(); ++i)
        if (tests[t].curve.points[i].size == half[t].curve.points[next].size) {
          seen[t].push_back((*all)[t][i]);
          ++next;
        }
    return seen;
  };
}

// Returns the results for all sizes. Between two regimes of the half, the better one is assumed for a size, since
// libraries choose their thresholds so.
Result<Printed> print_all(const FitProblem& problem, std::vector<RangeFit> ranges, const Simulate& simulate) {
  const auto late = print(problem, ranges, simulate);
  for (std::size_t i = 1; i < ranges.size(); ++i)
    ranges[i].range.from = Bytes{ranges[i - 1].range.to.count + 1};
  auto early = print(problem, ranges, simulate);
  if (!late || !early)
    return late ? early.errors() : late.errors();
  for (std::size_t t = 0; t < early->size(); ++t)
    for (std::size_t i = 0; i < (*early)[t].size(); ++i) {
      auto& value = (*early)[t][i];
      value = is_window(problem.tests[t].form) ? std::max(value, (*late)[t][i]) : std::min(value, (*late)[t][i]);
    }
  return early;
}

} // namespace

Result<std::vector<std::optional<double>>> cross_validate(std::span<const Observation> tests,
                                                          const CalibrationOptions& options, const Simulate& simulate,
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
    const auto agreed = agree(half, options, best_ranges(problem, options, step), at_half(simulate, tests, half), step);
    if (!agreed)
      return agreed.errors();
    const auto printed = print_all({tests, problem.parameters, problem.answer}, agreed->ranges, simulate);
    if (!printed)
      return printed.errors();
    for (std::size_t t = 0; t < tests.size(); ++t)
      for (std::size_t i = 0; i < tests[t].curve.points.size(); ++i) {
        const auto& point = tests[t].curve.points[i];
        if (!halved[t] || contains(seen, point.size) || point.value <= 0 ||
            (is_window(tests[t].form) && point.size < Bytes{8}))
          continue;
        sums[t] += std::abs((*printed)[t][i] - point.value) / point.value;
        ++counts[t];
      }
  }
  std::vector<std::optional<double>> means;
  for (std::size_t t = 0; t < tests.size(); ++t)
    means.push_back(counts[t] >= 4 ? std::optional(sums[t] / static_cast<double>(counts[t])) : std::nullopt);
  return means;
}

} // namespace kakehashi
