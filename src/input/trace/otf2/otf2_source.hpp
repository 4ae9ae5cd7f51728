// An archive in the Open Trace Format 2, as Score-P writes it → a stream of events for each rank.
//
// Messages and collective calls stay as they are; the time between a rank's MPI calls becomes work. For the v-forms of
// collective operations an archive has only the sum of a rank's blocks, so the blocks are assumed to be equal. The
// number of an event identifies its call.
#pragma once

#include "model/trace_event.hpp"

namespace kakehashi {

// Errors: there is no such archive, it has another number of ranks, or the program was built without the library.
Result<std::shared_ptr<const TraceSource>> open_otf2(const std::string& file, int ranks);

} // namespace kakehashi
