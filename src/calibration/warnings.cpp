#include "calibration/fit_steps.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace kakehashi {
namespace {

// Whether even the highest value is less than a hundredth of the time of every message in the regime.
bool is_negligible(const FitProblem& problem, const RangeFit& fit, const CalibratedParameter& parameter) {
  if (parameter.unit == "MB/s")
    return false;
  const double largest = static_cast<double>(fit.range.to.count);
  const bool is_per_byte = parameter.unit == "ns/B";
  const double size = is_per_byte ? largest : static_cast<double>(fit.range.from.count);
  const double most = is_per_byte ? parameter.high * 1e-3 * largest : parameter.high;
  return std::all_of(problem.tests.begin(), problem.tests.end(),
                     [&](const Observation& test) { return most < 0.01 * one_way_time(fit.values, test, size); });
}

bool is_determined(const CalibratedParameter& parameter) {
  return parameter.high <= 3 * std::max(parameter.low, 1e-3 * parameter.value);
}

// Whether it is a part of the time of a message of no bytes.
bool is_constant(const CalibratedParameter& parameter) {
  return parameter.name.starts_with("o_") || parameter.name.starts_with("setup");
}

// Describes the sum of parameters that are not known separately: "only the sum of o_send cpu, o_recv cpu and setup is
// determined: 1.799 to 1.803 us".
std::optional<std::string> tie_text(std::size_t regime, const Certainty& certainty, const ParameterSet& set,
                                    std::span<const CalibratedParameter> parameters) {
  std::vector<std::string_view> tied;
  for (const auto& each : parameters)
    if (each.regime == regime && is_constant(each) && !is_determined(each))
      tied.push_back(each.name);
  if (tied.size() < 2)
    return std::nullopt;
  std::string sums;
  for (std::size_t c = 0; c < certainty.constants.size(); ++c) {
    const auto [low, high] = certainty.constants[c];
    if (high > 1.5 * low)
      return std::nullopt;
    sums += fmt::format("{}{}{:.4g} to {:.4g} us", sums.empty() ? "" : "; ",
                        certainty.constants.size() > 1 ? set.path_names[c] + " " : "", low, high);
  }
  return fmt::format(
      "regime {}: {} cannot be separated; their sum, the time of a message of no bytes, is determined: {}", regime,
      fmt::join(tied, ", "), sums);
}

// "cpu and coprocessor"
std::string kinds_text(std::span<const DeviceKind> kinds) {
  std::vector<std::string_view> names;
  for (const auto kind : kinds)
    names.push_back(name_of(device_kind_names, kind));
  return fmt::format("{}", fmt::join(names, " and "));
}

// Returns the MB/s that go one way when a test prints this value.
double rate_of(const Observation& test, const CurvePoint& point) {
  const double size = static_cast<double>(point.size.count);
  switch (test.form) {
  case TestForm::window: return point.value;
  case TestForm::window_both_ways: return point.value / 2;
  case TestForm::exchange: return 2 * size / point.value;
  default: return size / point.value;
  }
}

// Describes a curve that exceeds the rate of its links; nothing if it does not.
std::optional<std::string> too_much(const Observation& test) {
  if (!test.narrowest)
    return std::nullopt;
  double most = 0;
  for (const auto& point : test.curve.points)
    if (point.value > 0)
      most = std::max(most, rate_of(test, point));
  const double capacity = test.narrowest->value / 1e6;
  if (most < 1.01 * capacity)
    return std::nullopt;
  return fmt::format("{} has {:.0f} MB/s where the path's narrowest link carries {:.0f}: it is of another path, or a "
                     "link is faster than the platform states",
                     test.curve.name, most, capacity);
}

// Returns where else the platform may state a cap that holds for all messages above some size; empty: unknown.
std::string place_text(const Observation& test, double cap_mb_s) {
  constexpr double near = 0.03;
  if (!test.limit_place.empty()) {
    const bool is_shared = test.form != TestForm::one_way && test.form != TestForm::window;
    return fmt::format("if the hardware sets this limit, state it {}{}, and it is no cap of the fabric",
                       test.limit_place,
                       is_shared ? fmt::format(", {:.4g} MB/s both ways together", 2 * cap_mb_s) : "");
  }
  const auto& packets = test.small_packets;
  if (packets && std::abs(cap_mb_s * 1e6 / packets->rate.value - 1) < near)
    return fmt::format(
        "{} carries {:.4g} MB/s; if the link has such packets, state {} there, and it is no cap of the fabric",
        packets->what, packets->rate.value / 1e6, packets->field);
  return "";
}

// Warns of caps that hold for all messages above some size. A limit of the hardware should be stated where it limits
// other messages, too.
std::vector<std::string> hidden_limits(const FitProblem& problem, const std::vector<RangeFit>& ranges) {
  std::vector<std::string> texts;
  const auto regimes = to_regimes(problem, ranges);
  for (std::size_t c = 0; c < regimes.size(); ++c) {
    const auto test = std::ranges::find(problem.tests, c, &Observation::path_class);
    const auto& cap = regimes[c].back().cap;
    const auto place = cap ? place_text(*test, cap->value / 1e6) : "";
    if (!place.empty())
      texts.push_back(fmt::format("regime {}: the cap{} of {:.4g} MB/s holds for all longer messages; {}",
                                  ranges.size() - 1, regimes.size() > 1 ? " " + test->path_name : "", cap->value / 1e6,
                                  place));
  }
  return texts;
}

} // namespace

std::vector<std::string> warnings_of(const FitProblem& problem, const std::vector<RangeFit>& ranges,
                                     std::span<const Certainty> certainties,
                                     std::span<const CalibratedParameter> parameters,
                                     std::span<const CalibratedCurve> curves) {
  std::vector<std::string> warnings;
  for (const auto& test : problem.tests)
    if (auto warning = too_much(test))
      warnings.push_back(std::move(*warning));
  for (const auto& curve : curves)
    if (curve.mean > outlier)
      warnings.push_back(fmt::format("{} is not fitted: the best regimes are off by {:.0f} % on average; it may be of "
                                     "another path, or hold several measurements",
                                     curve.name, 100 * curve.mean));
  std::ranges::move(hidden_limits(problem, ranges), std::back_inserter(warnings));
  if (!problem.parameters.has_window)
    warnings.push_back(problem.parameters.shares_constant()
                           ? "no bandwidth test: overheads, setup and gap cannot be separated; a core is taken to work "
                             "at most 0.3 us, and copies are given to the cap. osu_bw or osu_mbw_mr shows them"
                           : "no bandwidth test: overheads, setup and gap cannot be separated; all is given to the "
                             "overheads, and copies to the cap");
  if (problem.parameters.kinds_are_alike())
    warnings.push_back(
        fmt::format("{}: the overheads and copies of {} cannot be separated, and are tied: taken to be alike",
                    problem.parameters.path_classes == 1 ? "one path only" : "no bandwidth test",
                    kinds_text(problem.parameters.kinds)));
  std::vector<std::size_t> counts(ranges.size());
  for (const auto size : sizes_of(problem.tests))
    ++counts[static_cast<std::size_t>(&range_for(ranges, size) - ranges.data())];
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (counts[i] < 3)
      warnings.push_back(fmt::format("regime {} rests on {}, so the ranges of its parameters mean little", i,
                                     counted(counts[i], "size")));
  std::vector<bool> is_tied(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (auto tie = tie_text(i, certainties[i], problem.parameters, parameters)) {
      is_tied[i] = true;
      warnings.push_back(std::move(*tie));
    }
  for (const auto& each : parameters)
    if (counts[each.regime] >= 3 && !is_determined(each) && !(is_tied[each.regime] && is_constant(each)) &&
        !is_negligible(problem, ranges[each.regime], each))
      warnings.push_back(fmt::format("regime {}: the data does not determine {} ({:.3g} to {:.3g} {})", each.regime,
                                     each.name, each.low, each.high, each.unit));
  return warnings;
}

} // namespace kakehashi
