// How well predictions agree with the measurements and statements of documents.
#pragma once

#include "base/units.hpp"
#include "model/role.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// miss: it fails for a known reason. shown: it has no target.
enum class Verdict { pass, fail, pending, miss, shown };
inline constexpr std::array<std::string_view, 5> verdict_names{"pass", "FAIL", "pending", "miss", "shown"};

// A line of the score: a curve with its errors, or a claim with its value.
struct ValidationRow {
  std::string platform;
  std::string fabric; // names of all fabrics, separated by blanks, if a claim is about several
  std::string name;
  std::string kind;         // calibration, prediction, claim
  std::optional<Role> role; // as declared
  Verdict verdict = Verdict::pending;
  std::string reason;    // reason of a pending line, or of a run that failed
  std::string repeats;   // the line that it follows from, so that it is not counted again; empty: none
  bool is_stiff = false; // no number within a factor of ten turns its verdict, so that it is not counted

  // curves
  std::size_t points = 0;
  double mean = 0; // mean of |error|
  double worst = 0;
  Bytes worst_size;
  std::optional<double> target; // the target of the mean
  Bytes from;                   // the smallest size that counts

  // claims
  std::optional<double> value;
  double low = 0;
  double high = 0;
  bool is_implied = false; // the document implies the figure but does not state it
};

struct Validation {
  std::vector<ValidationRow> rows;

  std::size_t count(Verdict verdict) const {
    std::size_t found = 0;
    for (const auto& row : rows)
      found += row.verdict == verdict;
    return found;
  }
  // Counts lines that neither repeat others nor are stiff.
  std::size_t count(Verdict verdict, std::optional<Role> role) const {
    std::size_t found = 0;
    for (const auto& row : rows)
      found += row.verdict == verdict && row.role == role && row.repeats.empty() && !row.is_stiff;
    return found;
  }
  // Stiff lines that repeat none.
  std::size_t count_stiff(Verdict verdict) const {
    std::size_t found = 0;
    for (const auto& row : rows)
      found += row.verdict == verdict && row.is_stiff && row.repeats.empty();
    return found;
  }
  std::size_t count_repeats(Verdict verdict) const {
    std::size_t found = 0;
    for (const auto& row : rows)
      found += row.verdict == verdict && !row.repeats.empty();
    return found;
  }
};

// How much each line of the score depends on each number of its platform, and the role that follows for the line.

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
