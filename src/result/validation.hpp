// How well predictions agree with the documents' measurements and statements.
#pragma once

#include "base/units.hpp"
#include "model/role.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// miss: fails, as is known, with a reason. shown: there is nothing that it would have to reach.
enum class Verdict { pass, fail, pending, miss, shown };
inline constexpr std::array<std::string_view, 5> verdict_names{"pass", "FAIL", "pending", "miss", "shown"};

// A line of the score: a curve with its errors, or a claim with its value.
struct ValidationRow {
  std::string platform;
  std::string fabric; // of a claim about several all of them, with blanks between
  std::string name;
  std::string kind;         // calibration, prediction, claim
  std::optional<Role> role; // as declared
  Verdict verdict = Verdict::pending;
  std::string reason;  // for pending, or a run that failed
  std::string repeats; // the line that it follows from, so that it counts no more; empty: none

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
  // Without those that repeat others.
  std::size_t count(Verdict verdict, std::optional<Role> role) const {
    std::size_t found = 0;
    for (const auto& row : rows)
      found += row.verdict == verdict && row.role == role && row.repeats.empty();
    return found;
  }
  std::size_t count_repeats(Verdict verdict) const {
    std::size_t found = 0;
    for (const auto& row : rows)
      found += row.verdict == verdict && !row.repeats.empty();
    return found;
  }
};

} // namespace kakehashi
