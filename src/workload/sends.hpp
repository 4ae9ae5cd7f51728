// A job → about how many messages its ranks send, from what some of their programs do where no operation takes time.
#pragma once

#include "workload/job.hpp"

namespace kakehashi {

// leaves_out_rounds: of loops, once they may have settled. The job must not depend on what is received, and is used up.
double count_sends(const Job& job, int ranks, bool leaves_out_rounds);

// To how many ranks one of them sends, whose number is in the middle; it is no root.
std::size_t count_partners(const Job& job, int ranks);

} // namespace kakehashi
