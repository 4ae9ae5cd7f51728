// All that was recorded, without running it → its faults.
#pragma once

#include "model/scenario.hpp"

namespace kakehashi {

// Reads all that each rank did, and compares their collective calls. Errors: the first fault of each rank, of at most
// 20 ranks; else the first calls of each communicator that do not fit each other.
Errors check_replay(const Replay& replay, std::size_t ranks);

} // namespace kakehashi
