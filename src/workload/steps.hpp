// A scenario's operations, written out for a rank → its program.
#pragma once

#include "model/scenario.hpp"
#include "workload/program.hpp"

namespace kakehashi {

Program run_steps(Rank& rank, const std::vector<Step>& steps);

} // namespace kakehashi
