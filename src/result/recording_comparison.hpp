// Two recordings, as they were recorded, side by side: what their ranks called, and how long that took.
#pragma once

#include "result/call_profile.hpp"

#include <array>

namespace kakehashi {

struct RecordedRun {
  std::string name; // a folder, or a part of what is in it
  std::string program;
  std::string library;
  std::size_t ranks = 0;
  std::string counts;      // what work is counted in: "time", "processor time" or "instructions"
  double instructions = 0; // of a rank on average
  CallProfile profile;

  bool has_times() const { return counts != "instructions"; } // of work
};

// Calls that both make, or one of them, in one region or anywhere.
struct ComparedCalls {
  std::string region;
  std::array<CallLine, 2> runs; // with the same call and communicator; without calls where there are none
};
struct ComparedRegion {
  std::array<RegionLine, 2> runs;
};

struct RecordingComparison {
  std::array<RecordedRun, 2> runs;
  std::vector<ComparedCalls> calls;     // by how much the mean time of a rank differs, most first
  std::vector<ComparedCalls> in_region; // likewise, by region as well; none: neither names any
  std::vector<ComparedRegion> regions;  // likewise

  bool has_same_ranks() const { return runs[0].ranks == runs[1].ranks; }
};
RecordingComparison compare(RecordedRun a, RecordedRun b);

Seconds mean_of(const std::vector<Seconds>& ranks);
Seconds longest_of(const CallProfile& profile); // work and calls of the rank that has most of both
// Whether they differ in how many calls there are, or in their bytes.
bool differ(const ComparedCalls& calls);

} // namespace kakehashi
