#include "calibration/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

namespace kakehashi {
namespace {

constexpr double outlier = 0.25;
constexpr double agreement = 0.002; // of closed form and simulation
constexpr int most_corrections = 4;

std::vector<Bytes> sizes_of(std::span<const Observation> tests) {
  std::set<Bytes> sizes;
  for (const auto& test : tests)
    for (const auto& point : test.curve.points)
      if (point.value > 0)
        sizes.insert(point.size);
  return {sizes.begin(), sizes.end()};
}

// The one-way time of a 4-byte message, from the first one-way test.
double answer_time(std::span<const Observation> tests) {
  for (const auto& test : tests)
    if (!is_window(test.form))
      for (const auto& point : test.curve.points)
        if (point.size >= Bytes{4} && point.value > 0)
          return point.value;
  return 0;
}

FitProblem problem_of(std::span<const Observation> tests, const CalibrationOptions& options) {
  return {tests, parameters_of(tests, options.cores_move_payload), answer_time(tests)};
}

int trips_at(Bytes size, const CalibrationOptions& options) {
  return options.rendezvous && size >= *options.rendezvous ? 3 : 1;
}

const SegmentFit& segment_for(const std::vector<SegmentFit>& segments, Bytes size) {
  std::size_t index = 0;
  while (index + 1 < segments.size() && segments[index + 1].range.from <= size)
    ++index;
  return segments[index];
}

double predict(const FitProblem& problem, const std::vector<SegmentFit>& segments, const Observation& test,
               Bytes size) {
  return predicted_value(segment_for(segments, size).values, test, static_cast<double>(size.count), problem.answer);
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
  return is_window(test.form) ? std::max(of(segment), of(*(&segment + 1))) : std::min(of(segment), of(*(&segment + 1)));
}

// Rounds as the platform file will have it.
double rounded(double value) {
  return value == 0 ? 0 : std::stod(fmt::format("{:.4g}", value));
}

// Whether the cap, not the link, limits the rate, and the payload takes more than a thousandth of the time.
bool cap_matters(const FitProblem& problem, const SegmentFit& fit, std::size_t path_class) {
  const double cap_byte = fit.values.cap_byte[path_class];
  return std::any_of(problem.tests.begin(), problem.tests.end(), [&](const Observation& test) {
    const double largest = static_cast<double>(fit.range.to.count);
    return test.path_class == path_class && cap_byte > (test.narrowest ? 1e6 / test.narrowest->value : 0) &&
           largest * cap_byte > 1e-3 * one_way_time(fit.values, test, largest);
  });
}

Regime to_regime(const FitProblem& problem, const std::vector<SegmentFit>& segments, std::size_t index,
                 std::size_t path_class) {
  const auto& fit = segments[index];
  Regime regime;
  regime.from = index == 0 ? Bytes{0} : fit.range.from;
  if (index + 1 < segments.size())
    regime.to = segments[index + 1].range.from;
  regime.trips = fit.range.trips;
  for (std::size_t k = 0; k < device_kind_count; ++k) {
    // Kinds that no test had are taken to be like the first.
    const auto& kinds = problem.parameters.kinds;
    const bool is_known = std::find(kinds.begin(), kinds.end(), static_cast<DeviceKind>(k)) != kinds.end();
    const auto source = is_known ? k : static_cast<std::size_t>(kinds.front());
    regime.send_overhead[k] = microseconds(rounded(fit.values.send[source]));
    regime.receive_overhead[k] = microseconds(rounded(fit.values.receive[source]));
    regime.send_per_byte[k] = {rounded(fit.values.send_byte[source]) * 1e-6};
    regime.receive_per_byte[k] = {rounded(fit.values.receive_byte[source]) * 1e-6};
  }
  regime.setup = microseconds(rounded(fit.values.setup[path_class]));
  regime.gap = microseconds(rounded(fit.values.gap));
  if (const double cap_byte = fit.values.cap_byte[path_class]; cap_matters(problem, fit, path_class))
    regime.cap = BytesPerSecond{rounded(1 / cap_byte) * 1e6};
  regime.source.kind = SourceKind::calibrated;
  for (const auto& test : problem.tests)
    regime.source.from += (regime.source.from.empty() ? "" : ", ") + test.curve.name;
  return regime;
}

std::vector<std::vector<Regime>> to_regimes(const FitProblem& problem, const std::vector<SegmentFit>& segments) {
  std::vector<std::vector<Regime>> all(problem.parameters.path_classes);
  for (std::size_t c = 0; c < all.size(); ++c)
    for (std::size_t i = 0; i < segments.size(); ++i)
      all[c].push_back(to_regime(problem, segments, i, c));
  return all;
}

// Every second of the measured sizes, from the first or from the second on.
std::set<Bytes> half_of_sizes(std::span<const Observation> tests, std::size_t first) {
  const auto sizes = sizes_of(tests);
  std::set<Bytes> half;
  for (std::size_t i = first; i < sizes.size(); i += 2)
    half.insert(sizes[i]);
  return half;
}

std::vector<Observation> only_sizes(std::span<const Observation> tests, const std::set<Bytes>& sizes) {
  std::vector<Observation> kept(tests.begin(), tests.end());
  for (auto& test : kept)
    std::erase_if(test.curve.points, [&](const CurvePoint& point) { return !sizes.contains(point.size); });
  return kept;
}

// For each test the mean error on the sizes that a fit to the other half did not see. Bandwidths count from 8 B on.
std::vector<std::optional<double>> cross_validate(std::span<const Observation> tests,
                                                  const CalibrationOptions& options) {
  std::vector<double> sums(tests.size());
  std::vector<std::size_t> counts(tests.size());
  for (const std::size_t first : {0, 1}) {
    const auto seen = half_of_sizes(tests, first);
    const auto half = only_sizes(tests, seen);
    const auto problem = problem_of(half, options);
    const auto segments = best_segments(problem, options, Effort::full);
    for (std::size_t t = 0; t < tests.size(); ++t)
      for (const auto& point : tests[t].curve.points) {
        if (seen.contains(point.size) || point.value <= 0 || (is_window(tests[t].form) && point.size < Bytes{8}))
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

std::vector<CalibratedParameter> spreads(const FitProblem& problem, const std::vector<SegmentFit>& segments) {
  std::vector<CalibratedParameter> parameters;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::size_t first = parameters.size();
    for (const auto& named : named_values(problem.parameters, segments[i].values))
      parameters.push_back({i, named.name, named.unit, named.value, named.value, named.value});
    for (const auto size : sizes_of(problem.tests)) {
      if (size < segments[i].range.from || size > segments[i].range.to)
        continue;
      const auto others = named_values(problem.parameters, refit_without(problem, segments[i], size).values);
      for (const auto& other : others)
        for (std::size_t p = first; p < parameters.size(); ++p)
          if (parameters[p].name == other.name) {
            parameters[p].low = std::min(parameters[p].low, other.value);
            parameters[p].high = std::max(parameters[p].high, other.value);
          }
    }
  }
  std::erase_if(parameters, [](const CalibratedParameter& parameter) { return parameter.high == 0; });
  return parameters;
}

std::vector<std::string> warnings_of(const FitProblem& problem, const std::vector<SegmentFit>& segments,
                                     const std::vector<CalibratedParameter>& parameters) {
  std::vector<std::string> warnings;
  if (!problem.parameters.has_window)
    warnings.push_back("no bandwidth test: overheads, setup and gap cannot be told apart; all is given to the "
                       "overheads, and copies to the cap");
  if (problem.parameters.kinds_are_alike())
    warnings.push_back("one path only: the overheads of its two kinds of endpoints cannot be told apart");
  for (std::size_t i = 0; i < segments.size(); ++i) {
    std::size_t points = 0;
    for (const auto size : sizes_of(problem.tests))
      points += size >= segments[i].range.from && size <= segments[i].range.to;
    if (points < 3)
      warnings.push_back(fmt::format("regime {} rests on {} size{}", i, points, points == 1 ? "" : "s"));
  }
  for (const auto& parameter : parameters)
    if (parameter.high > 3 * std::max(parameter.low, 1e-3 * parameter.value))
      warnings.push_back(fmt::format("regime {}: the data does not determine {} ({:.3g} to {:.3g} {})",
                                     parameter.regime, parameter.name, parameter.low, parameter.high, parameter.unit));
  return warnings;
}

std::vector<std::vector<double>> closed_form(const FitProblem& problem, const std::vector<SegmentFit>& segments) {
  std::vector<std::vector<double>> values;
  for (const auto& test : problem.tests) {
    auto& of_test = values.emplace_back();
    for (const auto& point : test.curve.points)
      of_test.push_back(predict(problem, segments, test, point.size));
  }
  return values;
}

// For each point the closed form's value over the simulation's.
std::vector<std::vector<double>> ratios_of(const std::vector<std::vector<double>>& closed,
                                           const std::vector<std::vector<double>>& simulated) {
  auto ratios = closed;
  for (std::size_t t = 0; t < closed.size(); ++t)
    for (std::size_t i = 0; i < closed[t].size(); ++i)
      ratios[t][i] = simulated[t][i] > 0 ? closed[t][i] / simulated[t][i] : 1;
  return ratios;
}

double largest_change(const std::vector<std::vector<double>>& before, const std::vector<std::vector<double>>& now) {
  double largest = 0;
  for (std::size_t t = 0; t < now.size(); ++t)
    for (std::size_t i = 0; i < now[t].size(); ++i)
      largest = std::max(largest, std::abs(now[t][i] / before[t][i] - 1));
  return largest;
}

// Refits the parameters of the segments, which stay where they are.
std::vector<SegmentFit> refit(const FitProblem& problem, const std::vector<SegmentFit>& segments) {
  std::vector<SegmentFit> fits;
  for (const auto& segment : segments)
    fits.push_back(fit_segment(problem, segment.range, Effort::full));
  return fits;
}

} // namespace

namespace {

// A regime that rests on fewer than three sizes could meet them whatever they are, so it must gain more.
double penalty_of(std::size_t sizes, std::size_t all_sizes, const CalibrationOptions& options) {
  const double thin = sizes < 3 ? options.thin_penalty * static_cast<double>(3 - sizes) : 0;
  return (options.penalty + thin) / static_cast<double>(all_sizes);
}

} // namespace

std::vector<SegmentFit> best_segments(const FitProblem& problem, const CalibrationOptions& options, Effort effort) {
  const auto sizes = sizes_of(problem.tests);
  struct Best {
    double cost = std::numeric_limits<double>::infinity();
    std::vector<SegmentFit> segments;
  };
  // best[k][n]: the first n sizes in k regimes
  std::vector<std::vector<Best>> best(static_cast<std::size_t>(options.most_regimes) + 1,
                                      std::vector<Best>(sizes.size() + 1));
  best[0][0].cost = 0;
  for (std::size_t begin = 0; begin < sizes.size(); ++begin)
    for (std::size_t end = begin + 1; end <= sizes.size(); ++end) {
      const int trips = trips_at(sizes[begin], options);
      if (trips_at(sizes[end - 1], options) != trips)
        break;
      const auto fit = fit_segment(problem, {sizes[begin], sizes[end - 1], trips}, Effort::quick);
      for (std::size_t k = 1; k < best.size(); ++k) {
        const double cost = best[k - 1][begin].cost + fit.cost + penalty_of(end - begin, sizes.size(), options);
        if (cost >= best[k][end].cost)
          continue;
        best[k][end].cost = cost;
        best[k][end].segments = best[k - 1][begin].segments;
        best[k][end].segments.push_back(fit);
      }
    }
  const Best* chosen = &best[1].back();
  for (const auto& row : best)
    if (row.back().cost < chosen->cost)
      chosen = &row.back();
  return effort == Effort::full ? refit(problem, chosen->segments) : chosen->segments;
}

Result<CalibrationRecord> calibrate(std::vector<Observation> tests, const CalibrationOptions& options,
                                    const Simulate& simulate) {
  const auto impossible = [](std::string found, std::string expected) {
    return Error{ErrorKind::input, "", "", mismatch(found, expected), ""};
  };
  const auto sizes = sizes_of(tests);
  if (sizes.size() < 2)
    return impossible(fmt::format("{} sizes with a value above zero", sizes.size()), "at least 2");
  if (options.most_regimes < 2 && trips_at(sizes.front(), options) != trips_at(sizes.back(), options))
    return impossible("one regime for sizes below and above the rendezvous size", "at least 2");
  const auto measured = tests;
  const auto problem = problem_of(tests, options);
  auto segments = best_segments(problem, options, Effort::full);
  CalibrationRecord record;
  auto found = closed_form(problem, segments);
  auto ratios = ratios_of(found, found);
  for (int round = 0; simulate && round < most_corrections; ++round) {
    auto simulated = simulate(to_regimes(problem, segments));
    if (!simulated)
      return simulated.errors();
    const auto before = std::exchange(ratios, ratios_of(closed_form(problem, segments), *simulated));
    found = std::move(*simulated);
    record.disagreement = largest_change(before, ratios);
    if (*record.disagreement < agreement || round + 1 == most_corrections)
      break;
    // Ask the closed form for what makes the simulation right.
    for (std::size_t t = 0; t < tests.size(); ++t)
      for (std::size_t i = 0; i < tests[t].curve.points.size(); ++i)
        tests[t].curve.points[i].value = ratios[t][i] * measured[t].curve.points[i].value;
    segments = refit(problem, segments);
  }
  const auto crossed = cross_validate(measured, options);
  for (std::size_t t = 0; t < tests.size(); ++t) {
    record.curves.push_back(judge(measured[t], found[t]));
    record.curves.back().cross_validated = crossed[t];
    record.points += record.curves.back().points;
  }
  record.free_parameters = segments.size() * parameter_count(problem.parameters);
  record.regimes = to_regimes(problem, segments);
  record.parameters = spreads(problem, segments);
  record.warnings = warnings_of(problem, segments, record.parameters);
  return record;
}

} // namespace kakehashi
