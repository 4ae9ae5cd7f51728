// What the ranks of a recording do in a region that the program names, without what comes before, between and behind.
#pragma once

#include "base/error.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

// Errors: no rank is ever in the region, with those that there are; messages cross its border; a fault of a file.
Result<std::shared_ptr<const TraceSource>> only_in_region(std::shared_ptr<const TraceSource> source, int ranks,
                                                          const std::string& file, const std::string& region);

} // namespace kakehashi
