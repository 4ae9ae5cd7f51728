// The best order of ranks → lines to paste: of Open MPI, Slurm, Intel MPI and MPICH.
#pragma once

#include "report/report.hpp"
#include "result/sweep_record.hpp"

#include <ostream>

namespace kakehashi {

void add_launch_lines(const SweepRecord& record, ReportParts& parts);

// A line for each rank, its host: what SLURM_HOSTFILE names for srun --distribution=arbitrary.
void write_hostfile(const SweepPoint& point, const Platform& platform, std::ostream& out);

} // namespace kakehashi
