// A job and images of ranks → whether ranks do the same as the first ones, which stand for them, with the images of
// their partners.
#pragma once

#include "model/rank_images.hpp"
#include "workload/job.hpp"

namespace kakehashi {

// They compare the operations that the programs ask for, each rank by itself, while no operation takes time. So the job
// must not depend on time or on what is received. Ranks count as unlike if they use operations whose outcome depends on
// these, or read the memory of other ranks. The job is used up.
bool are_alike(const Job& job, const RankImages& ranks);
// Compares rank 0 with its nearest images only, which are most likely to differ.
bool first_images_are_alike(const Job& job, const RankImages& ranks);

} // namespace kakehashi
