// Decision tables: the algorithm that an MPI library uses by size and number of ranks.
#pragma once

#include "model/decision.hpp"
#include "workload/collective/collective.hpp"

namespace kakehashi {

// Returns the size that decides: the whole result for allgather and allgatherv; one rank's block (the mean) for gather,
// scatter, alltoall and their v-forms; the whole vector for all others. In an alltoallv in which each rank lists its
// own blocks, ranks must agree without knowing each other's lists; then messages count as large. A row may use another
// measure.
std::uint64_t measured_bytes(Collective collective, const Blocks& blocks, Measure measure = Measure::usual);

bool holds(const Decision& decision, Collective collective, const Blocks& blocks, const Group& group);

} // namespace kakehashi
