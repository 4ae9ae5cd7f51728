// A schedule → a warning if its receives of any tag may take messages of collective calls.
#pragma once

#include "model/schedule.hpp"

namespace kakehashi {

// schedgen of LogGOPSim turns collective calls into messages with tags from 1000000 on (collsbase in
// process_trace.cpp). MPI keeps such messages from receives of any tag; a schedule does not.
std::vector<std::string> warnings_of_tags(const Schedule& schedule);

} // namespace kakehashi
