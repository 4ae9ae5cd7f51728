#include "calibration/warnings.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Whether even the highest value is less than a hundredth of the time of every message of the regime.
bool is_negligible(const FitProblem& problem, const SegmentFit& fit, const CalibratedParameter& parameter) {
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

} // namespace

std::vector<std::string> warnings_of(const FitProblem& problem, const std::vector<SegmentFit>& segments,
                                     std::span<const CalibratedParameter> parameters,
                                     std::span<const CalibratedCurve> curves) {
  std::vector<std::string> warnings;
  for (const auto& curve : curves)
    if (curve.mean > outlier)
      warnings.push_back(fmt::format("{} is not met: the best regimes miss it by {:.0f} % in the mean; "
                                     "it may be of another path, or several measurements in one",
                                     curve.name, 100 * curve.mean));
  if (!problem.parameters.has_window)
    warnings.push_back("no bandwidth test: overheads, setup and gap cannot be separated; all is given to the "
                       "overheads, and copies to the cap");
  if (problem.parameters.kinds_are_alike())
    warnings.push_back("one path only: the overheads of its two kinds of endpoints cannot be separated");
  std::vector<std::size_t> counts(segments.size());
  for (const auto size : sizes_of(problem.tests))
    ++counts[static_cast<std::size_t>(&segment_for(segments, size) - segments.data())];
  for (std::size_t i = 0; i < segments.size(); ++i)
    if (counts[i] < 3)
      warnings.push_back(fmt::format("regime {} rests on {}, so the ranges of its parameters mean little", i,
                                     counted(counts[i], "size")));
  for (const auto& each : parameters)
    if (counts[each.regime] >= 3 && !is_determined(each) && !is_negligible(problem, segments[each.regime], each))
      warnings.push_back(fmt::format("regime {}: the data does not determine {} ({:.3g} to {:.3g} {})", each.regime,
                                     each.name, each.low, each.high, each.unit));
  return warnings;
}

} // namespace kakehashi
