// An archive in the Open Trace Format 2, as Score-P writes them → a stream of events for each rank.
//
// Messages and collective calls are taken as they are; the time between a rank's MPI calls becomes work. An archive
// tells how much a rank sends in all in the v-forms of collective operations, and not to whom: their blocks are taken
// to be equal. The number of its event identifies a call.
#pragma once

#include "model/trace_event.hpp"

namespace kakehashi {

// Errors: no such archive, another number of ranks, or a program that was built without the library.
Result<std::shared_ptr<const TraceSource>> open_otf2(const std::string& file, int ranks);

} // namespace kakehashi
