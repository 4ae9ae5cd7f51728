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

// All calls from one place of the program, in one of its regions.
struct SiteLine {
  std::string region; // empty: none
  std::string site;   // "solve+0x1c (heat)"
  CallLine calls;
};

// What the program names as a part of it.
struct RegionLine {
  std::string region; // empty: what is outside of all
  Seconds in_mpi;     // of all ranks
  Seconds working;
  Seconds recorded; // in MPI then
};

struct CallProfile {
  std::vector<CallLine> lines;     // by time, longest first
  std::vector<SiteLine> sites;     // likewise; none: they are not known
  std::vector<RegionLine> regions; // likewise; none: the program has none
  Seconds recorded;                // in all of them then; 0: nobody knows
  std::vector<Seconds> in_mpi;     // of each rank
  std::vector<Seconds> working;    // likewise, in what the trace has as work
};

// How much more the busiest has than the mean: 0.25 is a quarter more. 0 if nobody has any.
double imbalance_of(const std::vector<Seconds>& times);

} // namespace kakehashi
