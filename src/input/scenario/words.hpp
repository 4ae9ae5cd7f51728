// The fields of a scenario as the user wrote them on a command line.
#pragma once

#include <string>
#include <vector>

namespace kakehashi {

// The part of a recording that is replayed.
struct ReplayPartWords {
  std::string region; // of the program; empty: the whole program
  std::string from;   // "1 s" or "region NAME"; empty: the beginning
  std::string to;

  bool empty() const { return region.empty() && from.empty() && to.empty(); }
};

struct ScenarioWords {
  std::string platform;  // a file name, relative to the current folder; empty: the scenario's platform
  std::string fabric;    // empty: the scenario's; "shm+ib": inside nodes and between them
  std::string benchmark; // replaces the whole workload
  std::string algorithm; // for its collective operation
  std::string protocol;  // of NCCL or RCCL
  int channels = 0;      // likewise, the most; 0: not stated
  std::vector<std::string> variables; // likewise: "NCCL_ALGO=Ring"
  std::string gpu_library;            // "nccl", "2.22" or "nccl-2.22"
  // Devices; or patterns, if a name has a star or a range, or one of the next members is stated.
  std::vector<std::string> ranks;
  int per_device = 0;
  std::string order;
  // If one of these three is stated, a device of `ranks` has room for as many ranks as it has cores.
  std::string map_by; // core, socket or node
  int count = 0;      // number of all ranks; 0: not stated
  int per_node = 0;   // the most; 0: not stated
  std::vector<std::string> sizes;
  ReplayPartWords part;
  std::vector<std::string> sets; // "FIELD=VALUE", with FIELD as in "vary"
};

} // namespace kakehashi
