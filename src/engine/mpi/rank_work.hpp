// Work of ranks for themselves: they compute, on their core or on other workers of their lanes, and copy between the
// places of these.
#pragma once

#include "engine/mpi/channel_sets.hpp"
#include "engine/mpi/rank_table.hpp"

#include <map>

namespace kakehashi {

class RankWork {
public:
  // Keeps references.
  RankWork(const Setting& setting, Agenda& agenda, RankTable& ranks, ChannelSets& sets);

  // The rank resumes when that is done, or at once if the work does not block.
  void compute(int rank, const ComputeOperation& work, Occasion why);
  // An engine moves the bytes over the links between the places, and the core waits. Fails if there are no links.
  void copy(int rank, const CopyOperation& copy, Occasion why);

  // Handles one of the events from work_done on. Returns the rank that resumes by that at once, if any.
  std::optional<int> handle(Event event);

private:
  void compute_on_core(int rank, const ComputeOperation& work, Occasion why);
  void compute_aside(int rank, const ComputeOperation& work, Occasion why);
  void end_aside(std::uint32_t slot);
  bool has_ended(int rank);
  std::vector<std::size_t> channels_of(int rank, const CopyOperation& copy);
  void flow_copy(int rank);
  void end_copy(int rank);

  const Setting& setting_;
  Network& network_;
  Recorder* recorder_;
  Agenda& agenda_;
  RankTable& ranks_;
  ChannelSets& sets_;
  std::vector<Seconds> work_ends_;      // the earliest end of each rank's work; when its copy began
  std::vector<std::uint32_t> memories_; // each place's set of channels, once it is needed
  std::map<std::vector<std::size_t>, std::uint32_t> copies_; // sets of the channels of copies
  struct Aside {
    int rank;
    std::uint32_t request;
  };
  std::vector<Aside> asides_;
  std::vector<std::uint32_t> free_asides_;
};

} // namespace kakehashi
