// A trace in SST's DUMPI format: a file for each rank, and one that names them → a stream of events for each rank.
//
// Messages and collective calls stay as they are; the time between two calls of a rank, by its wall clock, becomes
// work. The number of an event is the place of its call in the rank's file, in bytes.
#pragma once

#include "model/trace_event.hpp"

namespace kakehashi {

// `path` is the .meta file, or the folder of the .bin files. Errors: there is no such file, or a rank's is damaged; the
// trace has another number of ranks.
Result<std::shared_ptr<const TraceSource>> open_dumpi(const std::string& path, int ranks);

} // namespace kakehashi
