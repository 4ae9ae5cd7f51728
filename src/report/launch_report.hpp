// The best order of ranks → lines to paste: of Open MPI, Slurm, Intel MPI and MPICH.
#pragma once

#include "result/sweep_record.hpp"

#include <ostream>

namespace kakehashi {

void write_launch_lines(const SweepRecord& record, std::ostream& out);

// A line for each rank, its host: what SLURM_HOSTFILE names for srun --distribution=arbitrary.
void write_hostfile(const SweepPoint& point, const Platform& platform, std::ostream& out);

} // namespace kakehashi
