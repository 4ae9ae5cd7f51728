// Work of ranks for themselves: they compute, on their core or aside, and copy between their GPUs and the hosts of
// these.
#pragma once

#include "engine/mpi/channel_sets.hpp"
#include "engine/mpi/rank_table.hpp"

#include <array>

namespace kakehashi {

class RankWork {
public:
  // Keeps references.
  RankWork(const Setting& setting, Agenda& agenda, RankTable& ranks, ChannelSets& sets);

  // The rank resumes when that is done.
  void compute(int rank, const ComputeOperation& work, Occasion why);
  // Another core than the rank's own computes, and the rank resumes at once.
  void compute_aside(int rank, const ComputeOperation& work, Occasion why);
  // The GPU's engine moves the bytes over the links to its host, and the core waits. Fails if there are no links.
  void copy(int rank, const HostCopyOperation& copy, Occasion why);

  // Handles one of the events from work_done on. Returns the rank that resumes by that at once, if any.
  std::optional<int> handle(Event event);

private:
  void end_aside(std::uint32_t slot);
  bool has_ended(int rank);
  std::vector<std::size_t> channels_of(int rank, const HostCopyOperation& copy);
  void flow_copy(int rank);
  void end_copy(int rank);

  const Setting& setting_;
  Network& network_;
  Recorder* recorder_;
  Agenda& agenda_;
  RankTable& ranks_;
  ChannelSets& sets_;
  struct Core {
    std::optional<std::uint32_t> memory; // its set of channels, once it is needed
    Seconds work_ends;                   // at the earliest; of a copy: began
  };
  std::vector<Core> cores_; // of each rank
  struct Host {
    std::optional<std::uint32_t> memory;                // likewise
    std::array<std::optional<std::uint32_t>, 4> copies; // likewise, by direction and whether they load its memory
  };
  std::vector<Host> hosts_; // of the GPUs of all ranks, or of none
  struct Aside {
    int rank;
    std::uint32_t request;
  };
  std::vector<Aside> asides_;
  std::vector<std::uint32_t> free_asides_;
};

} // namespace kakehashi
