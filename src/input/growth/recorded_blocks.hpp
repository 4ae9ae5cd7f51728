// The list of blocks of a recorded collective call → the block for each rank of a larger grid.
#pragma once

#include "input/growth/rank_calls.hpp"

#include <map>

namespace kakehashi {

class RecordedBlocks {
public:
  // `rank` and `line` are those of the larger grid. `call`, which the stand-in made, must outlive this.
  RecordedBlocks(const CollectiveEvent& call, const Grid& recorded, const Grid& grown, const GridLine& line, int rank);

  std::uint64_t of(int member) const;

private:
  int recorded_member(int member) const;

  const CollectiveEvent& call_;
  const Grid& recorded_;
  const Grid& grown_;
  int rank_;
  int own_;                  // its stand-in
  std::vector<int> members_; // of the recorded call, in order
  std::map<int, int> far_;   // by kind: a member that is neither the stand-in nor its neighbour
};

} // namespace kakehashi
