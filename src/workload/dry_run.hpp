// A rank of a job → the operations that its program asks for, while no operation takes time.
#pragma once

#include "workload/job.hpp"

namespace kakehashi {

// Calls `visit` with each operation until it returns false; returns whether it never did. The job must not depend on
// what is received. Exceptions of the program come out.
bool run_dry(const Job& job, Rank& rank, const std::function<bool(const Operation&)>& visit);

} // namespace kakehashi
