// Decision tables: which algorithm an MPI library uses for which sizes and numbers of ranks.
#pragma once

#include "model/decision.hpp"
#include "workload/collective/collective.hpp"

namespace kakehashi {

// A library's rows. Where none holds, those of the library that it follows decide (libraries.hpp); a library that
// follows no other has for each collective one without conditions.
std::span<const Decision> decisions_of(Selector selector);
std::span<const Decision> fujitsu_decisions(Selector selector); // of one of Fujitsu's

// The size that decisions go by: of the whole result for allgather and allgatherv, of one rank's block (the mean) for
// gather, scatter, alltoall and their v-forms, of the whole vector for all others. Where each rank lists what it sends
// in an alltoallv, ranks know nothing of each other's lists but must agree: then messages count as large. A row may go
// by another measure.
std::uint64_t measured_bytes(Collective collective, const Blocks& blocks, Measure measure = Measure::usual);

bool holds(const Decision& decision, Collective collective, const Blocks& blocks, const Group& group);

} // namespace kakehashi
