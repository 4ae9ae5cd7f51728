// How much each line of the score depends on each number of its platform, and what role that gives it.
#pragma once

#include "model/role.hpp"
#include "result/validation.hpp"

#include <algorithm>

namespace kakehashi {

// The line with some numbers scaled.
struct ScaledValue {
  double value = 0;   // of a claim; of a curve its mean error
  double change = 0;  // of what is predicted, relative; of a curve the mean of |change|
  bool turns = false; // the verdict
};

struct SensitivityEffect {
  std::string parameter;             // its place and name
  bool is_named = false;             // a source of it names the line
  std::optional<ScaledValue> halved; // no value: the run failed
  std::optional<ScaledValue> doubled;

  double largest_change() const {
    return std::max(halved ? std::abs(halved->change) : 0, doubled ? std::abs(doubled->change) : 0);
  }
  bool turns() const { return (halved && halved->turns) || (doubled && doubled->turns); }
};

struct SensitivityRow {
  ValidationRow now;         // as `validate` gives it
  std::optional<Role> found; // none: it was not run
  // With all numbers whose sources name the line, twice as bad and twice as good together; none: there are none.
  std::optional<ScaledValue> named_worse;
  std::optional<ScaledValue> named_better;
  std::vector<SensitivityEffect> effects; // the largest change first
  std::string combination;                // of parameters and factors that the claim names; may be empty
  std::optional<ScaledValue> combined;    // with it
  std::vector<std::string> faults;        // of the score; empty if there is nothing to complain of

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
