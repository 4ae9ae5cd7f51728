#include "calibration/fit_steps.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace kakehashi {
namespace {

constexpr double agreement = 0.002; // closed form and simulation agree if they differ by no more than this

double predict(const FitProblem& problem, const std::vector<RangeFit>& ranges, const Observation& test, Bytes size) {
  return predicted_value(range_for(ranges, size).values, test, static_cast<double>(size.count), problem.answer);
}

// Rounds a value as the platform file will have it.
double rounded(double value) {
  return value == 0 ? 0 : std::stod(fmt::format("{:.4g}", value));
}

Seconds time_of(double us) {
  constexpr double nothing = 1e-6; // a picosecond
  return microseconds(us < nothing ? 0 : rounded(us));
}

// Whether the cap and not the link limits the rate, and the payload takes more than a thousandth of the time. A cap
// just below the link's rate would only hide the rate of another link.
bool cap_matters(const FitProblem& problem, const RangeFit& fit, std::size_t path_class) {
  const double cap_byte = fit.values.cap_byte[path_class];
  return std::any_of(problem.tests.begin(), problem.tests.end(), [&](const Observation& test) {
    const double largest = static_cast<double>(fit.range.to.count);
    constexpr double above = 1.03; // factor of the link's time for a byte
    return test.path_class == path_class && cap_byte > (test.narrowest ? above * 1e6 / test.narrowest->value : 0) &&
           largest * cap_byte > 1e-3 * one_way_time(fit.values, test, largest);
  });
}

Regime to_regime(const FitProblem& problem, const std::vector<RangeFit>& ranges, std::size_t index,
                 std::size_t path_class) {
  const auto& fit = ranges[index];
  Regime regime;
  if (index > 0)
    regime.from = border_between(problem, ranges[index - 1], fit);
  if (index + 1 < ranges.size())
    regime.to = border_between(problem, fit, ranges[index + 1]);
  regime.trips = fit.range.trips;
  for (std::size_t k = 0; k < device_kind_count; ++k) {
    // Kinds that no test had count as the first kind.
    const auto& kinds = problem.parameters.kinds;
    const bool is_known = std::find(kinds.begin(), kinds.end(), static_cast<DeviceKind>(k)) != kinds.end();
    const auto source = is_known ? k : static_cast<std::size_t>(kinds.front());
    regime.send_overhead[k] = time_of(fit.values.send[source]);
    regime.receive_overhead[k] = time_of(fit.values.receive[source]);
    regime.send_per_byte[k] = {rounded(fit.values.send_byte[source]) * 1e-6};
    regime.receive_per_byte[k] = {rounded(fit.values.receive_byte[source]) * 1e-6};
  }
  regime.setup = time_of(fit.values.setup[path_class]);
  regime.gap = time_of(fit.values.gap);
  if (const double cap_byte = fit.values.cap_byte[path_class]; cap_matters(problem, fit, path_class))
    regime.cap = BytesPerSecond{rounded(1 / cap_byte) * 1e6};
  regime.source.kind = SourceKind::calibrated;
  for (const auto& test : problem.tests)
    regime.source.from += (regime.source.from.empty() ? "" : ", ") + test.curve.name;
  return regime;
}

Printed closed_form(const FitProblem& problem, const std::vector<RangeFit>& ranges) {
  Printed values;
  for (const auto& test : problem.tests) {
    auto& of_test = values.emplace_back();
    for (const auto& point : test.curve.points)
      of_test.push_back(predict(problem, ranges, test, point.size));
  }
  return values;
}

// Returns the ratio of the closed form's value to the simulation's for each point.
Printed ratios_of(const Printed& closed, const Printed& simulated) {
  auto ratios = closed;
  for (std::size_t t = 0; t < closed.size(); ++t)
    for (std::size_t i = 0; i < closed[t].size(); ++i)
      ratios[t][i] = simulated[t][i] > 0 ? closed[t][i] / simulated[t][i] : 1;
  return ratios;
}

double largest_change(const Printed& before, const Printed& now) {
  double largest = 0;
  for (std::size_t t = 0; t < now.size(); ++t)
    for (std::size_t i = 0; i < now[t].size(); ++i)
      largest = std::max(largest, std::abs(now[t][i] / before[t][i] - 1));
  return largest;
}

// Fits the parameters of the ranges again; the ranges themselves stay.
std::vector<RangeFit> refit_all(const FitProblem& problem, const std::vector<RangeFit>& ranges) {
  std::vector<RangeFit> fits;
  for (const auto& fit : ranges)
    fits.push_back(refit(problem, fit.range));
  return fits;
}

// Returns the mean of |error| over the points of each test, summed over the tests.
double error_of(std::span<const Observation> tests, const Printed& found) {
  double sum = 0;
  for (std::size_t t = 0; t < tests.size(); ++t)
    for (std::size_t i = 0; i < tests[t].curve.points.size(); ++i)
      if (const double value = tests[t].curve.points[i].value; value > 0)
        sum += std::abs(found[t][i] / value - 1) / static_cast<double>(tests[t].curve.points.size());
  return sum;
}

// Returns the ratios that are a part of the way from one set to another.
Printed on_the_way(const Printed& from, const Printed& to, double part) {
  auto between = to;
  for (std::size_t t = 0; t < to.size(); ++t)
    for (std::size_t i = 0; i < to[t].size(); ++i)
      between[t][i] = std::pow(from[t][i], 1 - part) * std::pow(to[t][i], part);
  return between;
}

} // namespace

std::vector<std::vector<Regime>> to_regimes(const FitProblem& problem, const std::vector<RangeFit>& ranges) {
  std::vector<std::vector<Regime>> all(problem.parameters.path_classes);
  for (std::size_t c = 0; c < all.size(); ++c)
    for (std::size_t i = 0; i < ranges.size(); ++i)
      all[c].push_back(to_regime(problem, ranges, i, c));
  return all;
}

Result<Printed> print(const FitProblem& problem, const std::vector<RangeFit>& ranges, const Simulate& simulate) {
  return simulate ? simulate(to_regimes(problem, ranges)) : closed_form(problem, ranges);
}

Result<Agreed> agree(const std::vector<Observation>& measured, const CalibrationOptions& options,
                     std::vector<RangeFit> ranges, const Simulate& simulate, const StepDone& step) {
  auto tests = measured;
  const auto problem = problem_of(tests, options);
  Agreed best;
  double least = std::numeric_limits<double>::infinity();
  auto asked = ratios_of(closed_form(problem, ranges), closed_form(problem, ranges)); // 1 for each point
  Printed from, to; // the ratios with which the best round was fitted, and those that it gave
  double part = 1;  // the part of the way between them that is tried
  for (int round = 0; round < most_corrections; ++round) {
    auto found = print(problem, ranges, simulate);
    if (!found)
      return found.errors();
    const auto ratios = ratios_of(closed_form(problem, ranges), *found);
    const double change = largest_change(asked, ratios);
    if (const double error = error_of(measured, *found); error < least) {
      least = error;
      best = {tests, ranges, std::move(*found), simulate ? std::optional(change) : std::nullopt};
      from = asked;
      to = ratios;
      part = 1;
    } else
      part /= 2;
    if (step)
      step();
    if (change < agreement || round + 1 == most_corrections)
      break;
    asked = on_the_way(from, to, part);
    for (std::size_t t = 0; t < tests.size(); ++t)
      for (std::size_t i = 0; i < tests[t].curve.points.size(); ++i)
        tests[t].curve.points[i].value = asked[t][i] * measured[t].curve.points[i].value;
    ranges = refit_all(problem, ranges);
  }
  return best;
}

} // namespace kakehashi
