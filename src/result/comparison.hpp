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
  double rate = 0;    // in the unit of the comparison; 0: there is none
  std::string reason; // what most of the time goes into
  double share = 0;   // of the critical path, that the reason has
  static constexpr auto fields() {
    return std::tuple(&ComparedTime::time, &ComparedTime::rate, &ComparedTime::reason, &ComparedTime::share);
  }
};

struct ComparisonRow {
  std::uint64_t size = 0;
  std::vector<ComparedTime> times; // of each contender
  std::size_t winner = 0;
  double margin = 0;   // the best other one's time over the winner's, less one
  std::string taken{}; // of algorithms: the contender that the library takes, or "none"; else empty
};

// From that size on another contender wins.
struct Crossover {
  std::uint64_t size = 0;
  std::size_t before = 0;
  std::size_t after = 0;
};

struct Comparison {
  std::string scenario;
  std::vector<std::string> contenders;
  std::string size_name;      // such as bytes; empty: there is one row without a size
  std::string rate_name;      // such as MB/s
  std::uint64_t multiple = 1; // crossovers were sought among multiples of this
  std::vector<ComparisonRow> rows;
  std::vector<Crossover> crossovers; // by size
  std::string library{};             // of algorithms: whose choice `taken` is; else empty
};

} // namespace kakehashi
