// Several ways to do the same, side by side.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace kakehashi {

struct ComparedTime {
  Seconds time;
  double rate = 0;      // in the unit of the comparison; 0: there is none
  std::string reason;   // what most of the time goes into
  double share = 0;     // of the critical path, that the reason has
  double tolerance = 0; // by this part another order of events, or the engine, may change the time
  static constexpr auto fields(auto& self) {
    auto& [time, rate, reason, share, tolerance] = self;
    return std::tie(time, rate, reason, share, tolerance);
  }
};

struct ComparisonRow {
  std::uint64_t size = 0;
  std::vector<ComparedTime> times; // of each contender
  std::size_t winner = 0;          // the fastest
  double margin = 0;               // the best other one's time over the winner's, less one
  double tolerance = 0;            // the largest of the times
  std::string taken{};             // of algorithms: the contender that the library takes, or "none"; else empty
};

// A contender: a fabric of a platform, or an algorithm on it.
struct ComparedPlace {
  std::string platform;
  std::string fabric;
};

// From that size on another contender wins: before it, none was faster than `before` by more than the tolerance.
struct Crossover {
  std::uint64_t size = 0;
  std::size_t before = 0;
  std::size_t after = 0;
};

struct Comparison {
  std::string scenario;
  std::vector<std::string> contenders;
  std::vector<ComparedPlace> places; // of the contenders
  std::string size_name;             // such as bytes; empty: there is one row without a size
  std::string rate_name;             // such as MB/s
  std::uint64_t multiple = 1;        // crossovers were sought among multiples of this
  std::vector<ComparisonRow> rows;
  std::size_t first = 0;                 // the contender that wins, or ties, until the first of these
  std::vector<Crossover> crossovers;     // by size
  std::optional<std::size_t> baseline{}; // the contender whose times those of all are divided by
  std::string library{};                 // of algorithms: whose choice `taken` is; else empty
  std::vector<std::string> settings{};   // of algorithms: what makes the library take each; empty: it does not have it
};

// A contender's time over that of the baseline; none if there is none.
std::optional<double> over_baseline(const Comparison& all, const ComparisonRow& row, std::size_t contender);

// The contenders that are as fast as the winner, within the tolerance; it is one of them.
std::vector<std::size_t> as_fast(const ComparisonRow& row);

std::vector<std::string> names_of(const Comparison& all, const std::vector<std::size_t>& contenders);

// "dapl", or "tie: dapl, tcp".
std::string winner_text(const Comparison& all, const ComparisonRow& row);

bool has_ties(const Comparison& comparison);

} // namespace kakehashi
