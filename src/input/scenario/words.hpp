// A scenario's fields on a command line, as the user wrote them.
#pragma once

#include <string>
#include <vector>

namespace kakehashi {

// What of a recording is replayed.
struct ReplayPartWords {
  std::string region; // of the program; empty: all
  std::string from;   // "1 s" or "region NAME"; empty: the beginning
  std::string to;

  bool empty() const { return region.empty() && from.empty() && to.empty(); }
};

struct ScenarioWords {
  std::string platform;           // a file, relative to here; empty: that of the scenario
  std::string fabric;             // likewise; "shm+ib": inside nodes and between them
  std::string benchmark;          // takes the place of the whole workload
  std::string algorithm;          // of its collective operation
  std::vector<std::string> ranks; // devices; or patterns, if one has a star or a range, or one of these is stated:
  int per_device = 0;
  std::string order;
  std::string map_by; // core, socket or node
  int count = 0;      // of ranks in all; 0: not stated
  int per_node =
      0; // at most. If one of these three is stated, a device of `ranks` has room for as many as it has cores
  std::vector<std::string> sizes;
  ReplayPartWords part;
  std::vector<std::string> sets; // "FIELD=VALUE", where FIELD is as in "vary"
};

} // namespace kakehashi
