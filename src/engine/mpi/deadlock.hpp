// A simulation in which nothing moves any more → the error: the operation in which each rank is stuck, and the sends
// that rely on buffering.
#pragma once

#include "engine/mpi/message_pool.hpp"
#include "engine/mpi/rank_table.hpp"

namespace kakehashi {

Error deadlock(const RankTable& ranks, const MessagePool& messages, const Setting& setting);

} // namespace kakehashi
