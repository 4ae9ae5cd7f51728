// The communicators of processes in a log of NCCL → groups of ranks of the world.
#pragma once

#include "base/stream.hpp"
#include "input/trace/gpu/nccl_log.hpp"

namespace kakehashi {

class NcclGroups {
public:
  // The log must outlive it.
  NcclGroups(const NcclLog& log, std::string file, int ranks) : log_(log), file_(std::move(file)), ranks_(ranks) {}

  // Called once, first. Errors: communicators without all of their ranks, none of as many as are placed, or of several
  // runs.
  Errors find();

  std::vector<RankGroup> groups;     // the group of all ranks comes first
  std::vector<std::size_t> group_of; // for each of the log's communicators that have calls
  bool is_assumed = false;           // ranks follow from the order of hosts and devices
  int rank_of(const NcclCommunicator& communicator) const {
    return ranks_of_.at({communicator.process, communicator.device});
  }

private:
  using Place = std::pair<std::string, int>; // a process and its device
  struct Parts {
    int ranks = 0;
    std::map<int, Place> places{}; // by rank
  };

  Errors collect();
  Errors number_parts();
  bool is_whole(const Parts& parts) const;
  Errors find_world();
  Errors missing(const std::string& id);

  const NcclLog& log_;
  std::string file_;
  int ranks_;
  std::vector<std::string> ids_; // for each of the log's communicators
  std::vector<int> numbers_;     // likewise: its rank
  std::vector<std::string> order_;
  std::map<std::string, Parts> parts_; // by id
  std::map<Place, int> ranks_of_;
};

} // namespace kakehashi
