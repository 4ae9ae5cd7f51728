// Several ways to do the same work, side by side.
#pragma once

#include "base/units.hpp"
#include "result/call_profile.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace kakehashi {

struct ComparedTime {
  Seconds time;
  double rate = 0;      // in the unit of rate_name; 0: there is none
  std::string reason;   // the main part of the time
  double share = 0;     // share of the critical path that the reason has
  double tolerance = 0; // the time may change by this share in another order of events, or with another engine
  static constexpr auto fields(auto& self) {
    auto& [time, rate, reason, share, tolerance] = self;
    return std::tie(time, rate, reason, share, tolerance);
  }
};

struct ComparisonRow {
  std::uint64_t size = 0;
  std::vector<ComparedTime> times; // the time of each contender
  std::size_t winner = 0;          // the fastest
  double margin = 0;               // the time of the best other contender over the winner's, less one
  double tolerance = 0;            // the largest tolerance of the times
  std::string taken{};             // among algorithms the contender that the library chooses, or "none"; else empty
};

// The fabric of a contender, or the fabric on which an algorithm runs.
struct ComparedPlace {
  std::string platform;
  std::string fabric;
  bool is_hypothetical = false; // the platform states that nobody has measured the fabric
};

// From `size` on another contender wins. At smaller sizes none beats `before` by more than the tolerance.
struct Crossover {
  std::uint64_t size = 0;
  std::size_t before = 0;
  std::size_t after = 0;
};

struct Comparison {
  std::string scenario;
  std::vector<std::string> contenders;
  std::vector<ComparedPlace> places; // the place of each contender
  std::string size_name;             // such as bytes; empty: there is one row without a size
  std::string rate_name;             // such as MB/s
  std::uint64_t multiple = 1;        // crossovers were sought at multiples of this
  std::vector<ComparisonRow> rows;
  std::size_t first = 0;                 // the contender that wins, or ties, below the first crossover
  std::vector<Crossover> crossovers;     // crossovers by size
  std::optional<std::size_t> baseline{}; // the contender by whose times all times are divided
  std::string library{};                 // among algorithms the library whose choice `taken` is; else empty
  // Of algorithms: the setting that makes the library use each; empty: the library does not have it.
  std::vector<std::string> settings{};
};

// Returns a contender's time divided by the baseline's; none if there is no baseline.
std::optional<double> over_baseline(const Comparison& all, const ComparisonRow& row, std::size_t contender);

// Returns the contenders that are as fast as the winner within the tolerance; the winner is one of them.
std::vector<std::size_t> as_fast(const ComparisonRow& row);

std::vector<std::string> names_of(const Comparison& all, const std::vector<std::size_t>& contenders);

// Returns the contender's name, marked if it is hypothetical.
std::string marked_name(const Comparison& all, std::size_t contender);

// Returns "dapl", or "tie: dapl, tcp", with hypothetical ones marked.
std::string winner_text(const Comparison& all, const ComparisonRow& row);

std::string size_text(const Comparison& all, std::uint64_t size); // "4 KiB", "work item 7"

bool has_ties(const Comparison& comparison);

// Two recordings side by side: the calls of their ranks, and the recorded times of these.
struct RecordedRun {
  std::string name; // a folder, or a part of its contents
  std::string program;
  std::string library;
  std::size_t ranks = 0;
  std::string counts;      // the unit of work: "time", "processor time" or "instructions"
  double instructions = 0; // mean of the ranks
  CallProfile profile;

  bool has_times() const { return counts != "instructions"; } // whether work has a time
};

// The calls of one kind in both recordings, in one region or in the whole program.
struct ComparedCalls {
  std::string region;
  std::array<CallLine, 2> runs; // with the same call and communicator; a recording without such calls has none
};
struct ComparedRegion {
  std::array<RegionLine, 2> runs;
};

struct RecordingComparison {
  std::array<RecordedRun, 2> runs;
  std::vector<ComparedCalls> calls;     // the largest change of a rank's mean time first
  std::vector<ComparedCalls> in_region; // calls by region, in the same order; empty: neither names a region
  std::vector<ComparedRegion> regions;  // in the same order

  bool has_same_ranks() const { return runs[0].ranks == runs[1].ranks; }
};
RecordingComparison compare(RecordedRun a, RecordedRun b);

Seconds mean_of(const std::vector<Seconds>& ranks);
Seconds longest_of(const CallProfile& profile); // the work and calls of the rank with the largest sum of both
// Whether the numbers of the calls, or their bytes, differ.
bool differ(const ComparedCalls& calls);

} // namespace kakehashi
