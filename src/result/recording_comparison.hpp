// Two recordings side by side: the calls of their ranks, and the recorded times of these.
#pragma once

#include "result/call_profile.hpp"

#include <array>

namespace kakehashi {

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
  std::vector<ComparedCalls> in_region; // by region, in the same order; empty: neither names a region
  std::vector<ComparedRegion> regions;  // in the same order

  bool has_same_ranks() const { return runs[0].ranks == runs[1].ranks; }
};
RecordingComparison compare(RecordedRun a, RecordedRun b);

Seconds mean_of(const std::vector<Seconds>& ranks);
Seconds longest_of(const CallProfile& profile); // the work and calls of the rank with the largest sum of both
// Whether the numbers of the calls, or their bytes, differ.
bool differ(const ComparedCalls& calls);

} // namespace kakehashi
