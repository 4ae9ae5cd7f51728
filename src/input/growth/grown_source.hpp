// Surveyed recordings → the events of the ranks of a larger job.
#pragma once

#include "input/growth/rank_calls.hpp"

namespace kakehashi {

// Recordings, and what ranks there shall be.
struct GrowthBasis {
  SurveyedSize recorded; // the largest
  std::vector<SurveyedSize> smaller;
  Grid grid;
  double work = 1; // so many times as much for each rank
  // The recordings that tell how sizes change from call to call, if any: for messages of each kind of rank, and for
  // collective calls of all.
  std::array<std::optional<std::size_t>, rank_kinds> messages_before{};
  std::optional<std::size_t> collectives_before{};
  std::array<double, relations> sizes{}; // of messages otherwise: so many times as many bytes
};

// The recorded rank that has the neighbours of this one: on each axis the first and the last stay so, and all others
// are the second.
int stand_in(const Grid& recorded, const Grid& grown, int rank);
bool has_kind(const Grid& recorded, const Grid& grown, int rank); // else that rank has other neighbours
// The rank that is to this one what a peer is to its stand-in.
int grown_peer(const Grid& recorded, const Grid& grown, int rank, int peer);

std::shared_ptr<const TraceSource> grown_source(GrowthBasis basis, std::vector<std::string> warnings);

} // namespace kakehashi
