// How well predictions agree with the measurements and statements of documents.
#pragma once

#include "base/units.hpp"
#include "model/role.hpp"

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
  std::string fabric; // of a claim about several fabrics: all of them, separated by blanks
  std::string name;
  std::string kind;         // calibration, prediction, claim
  std::optional<Role> role; // as declared
  Verdict verdict = Verdict::pending;
  std::string reason;  // of a pending line, or of a run that failed
  std::string repeats; // the line that it follows from, so that it is not counted again; empty: none

  // curves
  std::size_t points = 0;
  double mean = 0; // mean of |error|
  double worst = 0;
  Bytes worst_size;
  std::optional<double> target; // for the mean
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
  // Counts lines that do not repeat others.
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
