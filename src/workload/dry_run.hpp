// A job → what its ranks do, found by running their programs dry: no operation takes time.
#pragma once

#include "model/rank_images.hpp"
#include "workload/job.hpp"

namespace kakehashi {

// A rank of a job → the operations that its program asks for, while no operation takes time.

// Calls `visit` with each operation until it returns false; returns whether it never did. The job must not depend on
// what is received. Exceptions of the program come out.
bool run_dry(const Job& job, Rank& rank, const std::function<bool(const Operation&)>& visit);

// A job → about how many messages its ranks send, estimated from some of their programs while no operation takes time.

// leaves_out_rounds: it does not count the rounds of loops that may have settled. The job must not depend on what is
// received, and it is used up.
double count_sends(const Job& job, int ranks, bool leaves_out_rounds);

// Returns the number of ranks to which the middle rank sends; it is no root.
std::size_t count_partners(const Job& job, int ranks);

// A job and images of ranks → whether ranks do the same as the first ones, which stand for them, with the images of
// their partners.

// They compare the operations that the programs ask for, each rank by itself, while no operation takes time. So the job
// must not depend on time or on what is received. Ranks count as unlike if they use operations whose outcome depends on
// these, or read the memory of other ranks. The job is used up.
bool are_alike(const Job& job, const RankImages& ranks);
// Compares rank 0 with its nearest images only, which are most likely to differ.
bool first_images_are_alike(const Job& job, const RankImages& ranks);

} // namespace kakehashi
