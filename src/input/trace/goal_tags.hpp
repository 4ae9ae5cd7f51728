// A schedule → a warning, if receives of any tag in it may take messages of collective calls.
#pragma once

#include "model/schedule.hpp"

namespace kakehashi {

// schedgen of LogGOPSim makes messages of collective calls, with tags from 1000000 on (collsbase in process_trace.cpp).
// MPI keeps them from receives of any tag; a schedule does not.
std::vector<std::string> warnings_of_tags(const Schedule& schedule);

} // namespace kakehashi
