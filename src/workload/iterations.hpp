// How often a benchmark repeats a size: until its iterations have become alike, or as often as it was told.
//
// The model has no noise, so a benchmark soon repeats itself exactly; simulating the remaining repetitions would change
// nothing.
#pragma once

#include "base/units.hpp"

#include <vector>

namespace kakehashi {

// What the ranks measured for one message size.
struct SizeTiming {
  Bytes size;
  int repetitions = 0;          // as the benchmark counts them
  int simulated = 0;            // as were run
  std::vector<Seconds> average; // time of one iteration, for each rank
};

// Shared by the ranks of one run. All ranks do the same number of iterations of a size.
class Iterations {
public:
  Iterations(int ranks, std::vector<Bytes> sizes, std::vector<int> repetitions);

  // Called by a rank before each iteration and once after the last; tells whether to do another one.
  bool again(int rank, std::size_t size_index, Seconds now);

  std::vector<SizeTiming> timings() const;

private:
  struct Log {
    std::vector<std::vector<Seconds>> starts; // of each rank: begin of every iteration, and the end of the last
    int last = -1;                            // number of iterations, once decided
    std::vector<Seconds> steady;              // time of one iteration of each rank, if they had become alike by then
  };
  bool is_steady(const Log& log) const;

  std::vector<Bytes> sizes_;
  std::vector<int> repetitions_;
  std::vector<Log> logs_;
};

} // namespace kakehashi
