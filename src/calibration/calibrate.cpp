#include "calibration/calibrate.hpp"

#include "calibration/fit_steps.hpp"

#include <algorithm>
#include <cmath>

namespace kakehashi {
namespace {

CalibratedCurve judge(const Observation& test, const std::vector<double>& found) {
  CalibratedCurve curve;
  curve.name = test.curve.name;
  for (std::size_t i = 0; i < test.curve.points.size(); ++i) {
    const auto& point = test.curve.points[i];
    if (point.value <= 0)
      continue;
    const double error = std::abs(found[i] - point.value) / point.value;
    ++curve.points;
    curve.mean += error;
    if (error > outlier)
      curve.outliers.push_back(point.size);
    if (curve.points == 1 || error > curve.worst) {
      curve.worst = error;
      curve.worst_size = point.size;
    }
  }
  curve.mean /= static_cast<double>(std::max<std::size_t>(1, curve.points));
  return curve;
}

// Returns the parameters of the ranges, with their ranges of certainty.
std::vector<CalibratedParameter> parameters_in(const FitProblem& problem, const std::vector<RangeFit>& ranges,
                                               const std::vector<Certainty>& certainties) {
  std::vector<CalibratedParameter> parameters;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::size_t first = parameters.size();
    for (const auto& named : named_values(problem.parameters, ranges[i].values))
      parameters.push_back({i, named.name, named.unit, named.value, named.value, named.value});
    for (const auto* end : {&certainties[i].low, &certainties[i].high})
      for (const auto& other : named_values(problem.parameters, *end))
        for (std::size_t p = first; p < parameters.size(); ++p)
          if (parameters[p].name == other.name) {
            parameters[p].low = std::min(parameters[p].low, other.value);
            parameters[p].high = std::max(parameters[p].high, other.value);
          }
  }
  std::erase_if(parameters, [](const CalibratedParameter& parameter) { return parameter.high == 0; });
  return parameters;
}

// Returns why the tests cannot be fitted at all; nothing if they can.
std::optional<Error> fault_of(std::span<const Observation> tests, const CalibrationOptions& options) {
  const auto sizes = sizes_of(tests);
  if (sizes.size() < 2)
    return file_error(ErrorKind::input, tests.front().curve.file,
                      mismatch(counted(sizes.size(), "size") + " with a value above zero", "at least 2 sizes"));
  if (options.most_regimes < 2 && options.trips_at(sizes.front()) != options.trips_at(sizes.back()))
    return usage_error("--regimes: " + mismatch("1", "at least 2, since the sizes lie on both sides of --rendezvous"));
  return std::nullopt;
}

} // namespace

Result<CalibrationRecord> calibrate(std::vector<Observation> tests, const CalibrationOptions& stated,
                                    const Simulate& simulate, const StepsDone& progress) {
  auto options = stated;
  if (!options.rendezvous && options.infers_rendezvous && options.most_regimes > 1)
    options.rendezvous = shown_rendezvous(tests);
  if (auto fault = fault_of(tests, options))
    return std::move(*fault);
  // The halves of cross-validation take steps of their own.
  const std::size_t steps = 2 * steps_of(tests) + 3 * most_corrections;
  std::size_t done = 0;
  const StepDone step = [&] {
    if (progress)
      progress(std::min(++done, steps), steps);
  };
  const auto problem = problem_of(tests, options);
  const auto agreed = agree(tests, options, best_ranges(problem, options, step), simulate, step);
  if (!agreed)
    return agreed.errors();
  const auto crossed = cross_validate(tests, options, simulate, step);
  if (!crossed)
    return crossed.errors();
  CalibrationRecord record;
  record.disagreement = agreed->disagreement;
  for (std::size_t t = 0; t < tests.size(); ++t) {
    record.curves.push_back(judge(tests[t], agreed->found[t]));
    record.curves.back().cross_validated = (*crossed)[t];
    record.points += record.curves.back().points;
  }
  record.free_parameters = agreed->ranges.size() * parameter_count(problem.parameters);
  record.regimes = to_regimes(problem, agreed->ranges);
  std::vector<Certainty> certainties;
  for (const auto& fit : agreed->ranges) {
    const auto few = thinned(agreed->tests, fit.range.from, fit.range.to);
    certainties.push_back(certainty_of({few, problem.parameters, problem.answer}, fit));
  }
  record.parameters = parameters_in(problem, agreed->ranges, certainties);
  record.warnings = warnings_of(problem, agreed->ranges, certainties, record.parameters, record.curves);
  return record;
}

} // namespace kakehashi
