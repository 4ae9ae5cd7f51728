// A rank of a job → what its program asks for, where no operation takes time.
#pragma once

#include "workload/job.hpp"

namespace kakehashi {

// Calls `visit` with each operation until that says no; whether it never does. The job must not depend on what is
// received. Throws what the program does.
bool run_dry(const Job& job, Rank& rank, const std::function<bool(const Operation&)>& visit);

} // namespace kakehashi
