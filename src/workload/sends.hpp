// A job → about how many messages its ranks send, estimated from some of their programs while no operation takes time.
#pragma once

#include "workload/job.hpp"

namespace kakehashi {

// leaves_out_rounds: it does not count the rounds of loops that may have settled. The job must not depend on what is
// received, and it is used up.
double count_sends(const Job& job, int ranks, bool leaves_out_rounds);

// Returns the number of ranks to which the middle rank sends; it is no root.
std::size_t count_partners(const Job& job, int ranks);

} // namespace kakehashi
