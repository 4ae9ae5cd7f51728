// Surveyed recordings → the events of the ranks of a larger job.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

// The recordings, and the grid of the ranks of the new job.
struct GrowthBasis {
  SurveyedSize recorded; // the largest one
  std::vector<SurveyedSize> smaller;
  Grid grid;
  double work = 1; // factor of each rank's work
  // The recordings that show how sizes change from call to call, if any: for messages by kind of rank, and for all
  // collective calls.
  std::array<std::optional<std::size_t>, rank_kinds> messages_before{};
  std::optional<std::size_t> collectives_before{};
  std::array<double, relations> sizes{}; // factors of messages' sizes by relation, where no recording shows this
};

// Returns the recorded rank with the same neighbours: on each axis the first and the last rank stay so, and all others
// are the second one.
int stand_in(const Grid& recorded, const Grid& grown, int rank);
bool has_kind(const Grid& recorded, const Grid& grown, int rank); // whether the stand-in has the same neighbours
// Returns the rank that is to this rank what `peer` is to its stand-in.
int grown_peer(const Grid& recorded, const Grid& grown, int rank, int peer);

std::shared_ptr<const TraceSource> grown_source(GrowthBasis basis, std::vector<std::string> warnings);

} // namespace kakehashi
