// A run → whether it holds to a curve or claim: errors against targets, figures against bounds.
#pragma once

#include "model/catalogue.hpp"
#include "result/record.hpp"
#include "result/validation.hpp"

#include <span>
#include <tuple>

namespace kakehashi {

// How far the predictions for a curve are from it.
struct CurveErrors {
  std::size_t points = 0;
  double mean = 0;
  double worst = 0;
  Bytes worst_size;
  double worst_but_outliers = 0;
  static constexpr auto fields(auto& self) {
    auto& [points, mean, worst, worst_size, worst_but_outliers] = self;
    return std::tie(points, mean, worst, worst_size, worst_but_outliers);
  }
};

// Of a run of the curve's scenario.
Result<CurveErrors> errors_of(const RunRecord& record, const ReferenceCase& item);
void judge(ValidationRow& row, const std::optional<Target>& target, const CurveErrors& errors);

// The number of a run that the claim speaks of: of several sizes the geometric mean. There is at least one.
double number_of(const RunRecord& record, Claim::Number number);
// From the numbers of its runs, unless it is a crossover.
double value_of(const Claim& claim, std::span<const double> numbers);
// The size through which the first run's time is the shorter one: that before the first crossover. If there is none it
// is the largest size, or nothing.
Result<double> crossover_of(const ClaimCase& item, int jobs);
bool is_crossover(const ClaimCase& item);
// Whether it takes minutes, with thousands of ranks.
bool is_large(const ClaimCase& item);
void judge(ValidationRow& row, const Claim& claim, double value);

// With all that is known before it is run.
ValidationRow row_of(const ReferenceCase& item);
ValidationRow row_of(const ClaimCase& item, bool large);

} // namespace kakehashi
