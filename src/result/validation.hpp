// How well predictions agree with what the documents measured and said.
#pragma once

#include "base/units.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

enum class Verdict { pass, fail, pending };
inline constexpr std::array<std::string_view, 3> verdict_names{"pass", "FAIL", "pending"};

// A line of the score: a curve with its errors, or a claim with its value.
struct ValidationRow {
  std::string platform;
  std::string name;
  std::string kind; // calibration, prediction, claim
  Verdict verdict = Verdict::pending;
  std::string reason; // for pending, or a run that failed

  // curves
  std::size_t points = 0;
  double mean = 0; // of |error|
  double worst = 0;
  Bytes worst_size;
  std::optional<double> target; // for mean
  Bytes from;                   // errors are over sizes from here on

  // claims
  std::optional<double> value;
  double low = 0;
  double high = 0;
};

struct Validation {
  std::vector<ValidationRow> rows;

  std::size_t count(Verdict verdict) const {
    std::size_t found = 0;
    for (const auto& row : rows)
      found += row.verdict == verdict;
    return found;
  }
};

} // namespace kakehashi
