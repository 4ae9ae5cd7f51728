// The time of a recorded application's MPI calls, by call and communicator, as profilers of MPI count them.
#pragma once

#include "base/units.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kakehashi {

// All calls of one kind in one communicator.
struct CallLine {
  std::string call;         // "allreduce"
  std::string communicator; // empty: of messages between two ranks, or of their requests
  std::uint64_t calls = 0;
  double bytes = 0; // that callers name, of all ranks: what a rank sends, the vector, or the blocks
  Seconds time;     // of all ranks
  Seconds recorded; // likewise, on the machine where the application was recorded
  Seconds most;     // of one rank
  int slowest = 0;  // which that is
  std::size_t ranks = 0;
};

struct CallProfile {
  std::vector<CallLine> lines;  // by time, longest first
  Seconds recorded;             // in all of them then; 0: nobody knows
  std::vector<Seconds> in_mpi;  // of each rank
  std::vector<Seconds> working; // likewise, in what the trace has as work
};

// How much more the busiest has than the mean: 0.25 is a quarter more. 0 if nobody has any.
double imbalance_of(const std::vector<Seconds>& times);

} // namespace kakehashi
