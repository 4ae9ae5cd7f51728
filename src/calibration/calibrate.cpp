#include "calibration/calibrate.hpp"

#include "calibration/cross_validation.hpp"
#include "calibration/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace kakehashi {
namespace {

constexpr double agreement = 0.002; // of closed form and simulation
constexpr int most_corrections = 4;

double predict(const FitProblem& problem, const std::vector<SegmentFit>& segments, const Observation& test,
               Bytes size) {
  return predicted_value(segment_for(segments, size).values, test, static_cast<double>(size.count), problem.answer);
}

// Rounds as the platform file will have it.
double rounded(double value) {
  return value == 0 ? 0 : std::stod(fmt::format("{:.4g}", value));
}

Seconds time_of(double us) {
  constexpr double nothing = 1e-6; // a picosecond
  return microseconds(us < nothing ? 0 : rounded(us));
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

std::vector<std::vector<Regime>> to_regimes(const FitProblem& problem, const std::vector<SegmentFit>& segments) {
  std::vector<std::vector<Regime>> all(problem.parameters.path_classes);
  for (std::size_t c = 0; c < all.size(); ++c)
    for (std::size_t i = 0; i < segments.size(); ++i)
      all[c].push_back(to_regime(problem, segments, i, c));
  return all;
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

// The parameters of the segments, and between what they lie when the fit leaves out one size.
std::vector<CalibratedParameter> spreads(const FitProblem& problem, const std::vector<SegmentFit>& segments) {
  std::vector<CalibratedParameter> parameters;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::size_t first = parameters.size();
    for (const auto& named : named_values(problem.parameters, segments[i].values))
      parameters.push_back({i, named.name, named.unit, named.value, named.value, named.value});
    const auto sizes = representatives(problem.tests, segments[i].range.from, segments[i].range.to);
    const auto few = thinned(problem.tests, segments[i].range.from, segments[i].range.to);
    for (const auto size : sizes) {
      const auto fit = refit_without({few, problem.parameters, problem.answer}, segments[i], size);
      for (const auto& other : named_values(problem.parameters, fit.values))
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
std::vector<SegmentFit> refit_all(const FitProblem& problem, const std::vector<SegmentFit>& segments) {
  std::vector<SegmentFit> fits;
  for (const auto& segment : segments)
    fits.push_back(refit(problem, segment.range));
  return fits;
}

// Why tests cannot be fitted at all; nothing if they can.
std::optional<Error> fault_of(std::span<const Observation> tests, const CalibrationOptions& options) {
  const auto sizes = sizes_of(tests);
  if (sizes.size() < 2)
    return Error{ErrorKind::input, tests.front().curve.file, "",
                 mismatch(counted(sizes.size(), "size") + " with a value above zero", "at least 2 sizes"), ""};
  if (options.most_regimes < 2 && options.trips_at(sizes.front()) != options.trips_at(sizes.back()))
    return Error{ErrorKind::usage, "", "",
                 "--regimes: " + mismatch("1", "at least 2, since the sizes lie on both sides of --rendezvous"), ""};
  return std::nullopt;
}

struct Agreed {
  std::vector<Observation> tests; // with the values that make the simulation right
  std::vector<SegmentFit> segments;
  std::vector<std::vector<double>> found; // for each test and point
  std::optional<double> disagreement;
};

// Fits anew to what makes the simulation right, until the closed form and the simulation agree.
Result<Agreed> agree(std::vector<Observation> tests, const CalibrationOptions& options,
                     std::vector<SegmentFit> segments, const Simulate& simulate, const StepDone& step) {
  const auto measured = tests;
  const auto problem = problem_of(tests, options);
  Agreed agreed{{}, std::move(segments), {}, std::nullopt};
  agreed.found = closed_form(problem, agreed.segments);
  auto ratios = ratios_of(agreed.found, agreed.found);
  for (int round = 0; simulate && round < most_corrections; ++round) {
    auto simulated = simulate(to_regimes(problem, agreed.segments));
    if (!simulated)
      return simulated.errors();
    const auto before = std::exchange(ratios, ratios_of(closed_form(problem, agreed.segments), *simulated));
    agreed.found = std::move(*simulated);
    agreed.disagreement = largest_change(before, ratios);
    step();
    if (*agreed.disagreement < agreement || round + 1 == most_corrections)
      break;
    // Ask the closed form for what makes the simulation right.
    for (std::size_t t = 0; t < tests.size(); ++t)
      for (std::size_t i = 0; i < tests[t].curve.points.size(); ++i)
        tests[t].curve.points[i].value = ratios[t][i] * measured[t].curve.points[i].value;
    agreed.segments = refit_all(problem, agreed.segments);
  }
  agreed.tests = std::move(tests);
  return agreed;
}

} // namespace

Result<CalibrationRecord> calibrate(std::vector<Observation> tests, const CalibrationOptions& options,
                                    const Simulate& simulate, const StepsDone& progress) {
  if (auto fault = fault_of(tests, options))
    return std::move(*fault);
  const std::size_t steps = 2 * steps_of(tests) + most_corrections;
  std::size_t done = 0;
  const StepDone step = [&] {
    if (progress)
      progress(std::min(++done, steps), steps);
  };
  const auto problem = problem_of(tests, options);
  const auto agreed = agree(tests, options, best_segments(problem, options, step), simulate, step);
  if (!agreed)
    return agreed.errors();
  CalibrationRecord record;
  record.disagreement = agreed->disagreement;
  const auto crossed = cross_validate(tests, options, step);
  for (std::size_t t = 0; t < tests.size(); ++t) {
    record.curves.push_back(judge(tests[t], agreed->found[t]));
    record.curves.back().cross_validated = crossed[t];
    record.points += record.curves.back().points;
  }
  record.free_parameters = agreed->segments.size() * parameter_count(problem.parameters);
  record.regimes = to_regimes(problem, agreed->segments);
  record.parameters = spreads({agreed->tests, problem.parameters, problem.answer}, agreed->segments);
  record.warnings = warnings_of(problem, agreed->segments, record.parameters, record.curves);
  return record;
}

} // namespace kakehashi
