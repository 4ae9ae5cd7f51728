// A job → whether ranks do what the first ones do that stand for them, with the images of their partners.
#pragma once

#include "model/rank_images.hpp"
#include "workload/job.hpp"

namespace kakehashi {

// What their programs ask for is compared, each by itself, where no operation takes time. So the job must not depend on
// what is received or on time; operations whose outcome does, and those that another rank's memory gives, are alike in
// none. It is used up.
bool first_images_are_alike(const Job& job,
                            const RankImages& ranks); // those of rank 0 at hand only: what is most unlike
bool are_alike(const Job& job, const RankImages& ranks);

} // namespace kakehashi
