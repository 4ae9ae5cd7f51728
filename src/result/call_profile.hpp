// The time of a recorded application's MPI calls by call and communicator, as profilers of MPI count it.
#pragma once

#include "result/recording.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// How all ranks spent their time at some places of the program, and the time of the critical path there.
struct PlaceTimes {
  RankTimes ranks;
  Seconds on_path; // time of the critical path, with the messages that were asked for there

  PlaceTimes& operator+=(const PlaceTimes& other);
};

// All calls of one kind in one communicator.
struct CallLine {
  std::string call;         // "allreduce"
  std::string communicator; // empty: messages between two ranks, or waits for them
  std::uint64_t calls = 0;
  double bytes = 0; // bytes that the callers name, over all ranks: those that a rank sends, the vector, or the blocks
  Seconds time;     // sum over all ranks
  Seconds recorded; // the same on the machine where the application was recorded
  Seconds most;     // time of the slowest rank
  int slowest = 0;  // which that is
  std::size_t ranks = 0;
  PlaceTimes places{};
};

// All calls from one place of the program in one of its regions.
struct SiteLine {
  std::string region; // empty: none
  std::string site;   // "solve+0x1c (heat)"
  CallLine calls;
};

// A region that the program names.
struct RegionLine {
  std::string region; // empty: the program outside all regions
  Seconds in_mpi;     // sum over all ranks
  Seconds working;
  Seconds recorded; // time in MPI on the recorded machine
  PlaceTimes places{};
};

// The lines for one place of the program, as indices into the lists of CallProfile.
struct LinesOfPlace {
  std::optional<std::size_t> line; // none: the place is work
  std::optional<std::size_t> site;
  std::optional<std::size_t> region;
};

struct CallProfile {
  std::vector<CallLine> lines;      // lines by time, longest first
  std::vector<SiteLine> sites;      // longest first; empty: places are unknown
  std::vector<RegionLine> regions;  // longest first; empty: the program names none
  Seconds recorded;                 // sum over all lines on the recorded machine; 0: unknown
  std::vector<Seconds> in_mpi;      // time of each rank; empty: calls go on beside work
  std::vector<Seconds> working;     // each rank's work in the trace; likewise
  std::vector<LinesOfPlace> places; // places by number, from 1; number 0 is no place
  std::optional<PlaceTimes> work;   // times of all work; none: it was not recorded
};

// Adds the times that the run recorded for each place.
void add_places(const Recording& recording, CallProfile& profile);

// Returns by what share the largest time exceeds the mean: 0.25 is a quarter more. 0 if all times are 0.
double imbalance_of(const std::vector<Seconds>& times);

std::string mpi_name(std::string name); // "MPI_Reduce_scatter" for "reduce-scatter"

} // namespace kakehashi
