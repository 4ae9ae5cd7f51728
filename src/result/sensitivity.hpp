// How much each line of the score depends on each number of its platform, and the role that follows for the line.
#pragma once

#include "model/role.hpp"
#include "result/validation.hpp"

#include <algorithm>

namespace kakehashi {

// The line's value if some numbers are scaled.
struct ScaledValue {
  double value = 0;   // a claim's value; a curve's mean error
  double change = 0;  // relative change of the prediction; for a curve the mean of |change|
  bool turns = false; // the verdict changes
};

struct SensitivityEffect {
  std::string parameter;             // the parameter's place and name
  bool is_named = false;             // a source of the parameter names the line
  std::optional<ScaledValue> halved; // no value: the run failed
  std::optional<ScaledValue> doubled;

  double largest_change() const {
    return std::max(halved ? std::abs(halved->change) : 0, doubled ? std::abs(doubled->change) : 0);
  }
  bool turns() const { return (halved && halved->turns) || (doubled && doubled->turns); }
};

struct SensitivityRow {
  ValidationRow now;         // as `validate` gives it
  std::optional<Role> found; // the role that the runs show; none: the line was not run
  // All numbers whose sources name the line, twice as bad or twice as good at once; none: no source names it.
  std::optional<ScaledValue> named_worse;
  std::optional<ScaledValue> named_better;
  std::vector<SensitivityEffect> effects; // the largest change first
  std::string combination;                // the parameters and factors that the claim names; may be empty
  std::optional<ScaledValue> combined;    // the value with this combination
  std::vector<std::string> faults;        // faults of the score's entry; empty: there are none

  bool turns() const {
    const auto turned = [](const std::optional<ScaledValue>& value) { return value && value->turns; };
    return turned(named_worse) || turned(named_better) || turned(combined) ||
           std::any_of(effects.begin(), effects.end(), [](const auto& effect) { return effect.turns(); });
  }
};

struct Sensitivity {
  std::vector<SensitivityRow> rows;
  std::size_t runs = 0;

  std::size_t faulty() const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.faults.empty(); }));
  }
};

} // namespace kakehashi
