// A run → whether it agrees with a curve or claim: errors against targets, figures against bounds.
#pragma once

#include "model/catalogue.hpp"
#include "result/record.hpp"
#include "result/validation.hpp"

#include <span>
#include <tuple>

namespace kakehashi {

// The errors of the predictions for a curve.
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

// `record` is a run of the curve's scenario.
Result<CurveErrors> errors_of(const RunRecord& record, const ReferenceCase& item);
void judge(ValidationRow& row, const std::optional<Target>& target, const CurveErrors& errors);

// Returns the claimed number of a run; over several sizes their geometric mean. There must be at least one size.
double number_of(const RunRecord& record, Claim::Number number);
// Returns the claim's value from the numbers of its runs; not for a crossover.
double value_of(const Claim& claim, std::span<const double> numbers);
// Returns the largest size up to which the first run takes less time: the one before the first crossover. Without a
// crossover it is the largest size, or nothing.
Result<double> crossover_of(const ClaimCase& item, int jobs);
bool is_crossover(const ClaimCase& item);
// Whether it takes minutes, with thousands of ranks.
bool is_large(const ClaimCase& item);
void judge(ValidationRow& row, const Claim& claim, double value);

// Return rows with everything that is known before a run.
ValidationRow row_of(const ReferenceCase& item);
ValidationRow row_of(const ClaimCase& item, bool large);

} // namespace kakehashi
