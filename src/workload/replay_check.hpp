// A recording → its faults, found without a run.
#pragma once

#include "model/scenario.hpp"

namespace kakehashi {

// Reads the events of all ranks and compares their collective calls. Errors: the first fault of each rank, for at most
// 20 ranks; without such faults, the first calls in each communicator that do not match.
Errors check_replay(const Replay& replay, std::size_t ranks);

} // namespace kakehashi
