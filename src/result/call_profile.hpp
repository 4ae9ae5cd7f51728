// The time of a recorded application's MPI calls, by call and communicator, as profilers of MPI count them.
#pragma once

#include "result/recording.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// What became of the time of all ranks at some places of the program, and the run's critical path through these.
struct PlaceTimes {
  RankTimes ranks;
  Seconds on_path; // also of messages that were asked for there

  PlaceTimes& operator+=(const PlaceTimes& other);
};

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
  PlaceTimes places{};
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
  PlaceTimes places{};
};

// The lines to which a place of the program belongs: its number in each list.
struct LinesOfPlace {
  std::optional<std::size_t> line; // none: it is work
  std::optional<std::size_t> site;
  std::optional<std::size_t> region;
};

struct CallProfile {
  std::vector<CallLine> lines;     // by time, longest first
  std::vector<SiteLine> sites;     // likewise; none: they are not known
  std::vector<RegionLine> regions; // likewise; none: the program has none
  Seconds recorded;                // in all of them then; 0: nobody knows
  std::vector<Seconds> in_mpi;     // of each rank
  std::vector<Seconds> working;    // likewise, in what the trace has as work
  std::vector<LinesOfPlace> places; // by number, from 1 on: the first one is of none
  std::optional<PlaceTimes> work;   // of all work; none: it was not recorded what became of time
};

// Adds what was recorded of each place.
void add_places(const Recording& recording, CallProfile& profile);

// How much more the busiest has than the mean: 0.25 is a quarter more. 0 if nobody has any.
double imbalance_of(const std::vector<Seconds>& times);

} // namespace kakehashi
