// A candidate of a sweep → text; and the best order → files that MPI libraries read.
#pragma once

#include "report/report.hpp"
#include "result/sweep_record.hpp"

#include <ostream>

namespace kakehashi {

// The devices of a candidate's ranks; of many ranks, what differs from the default: "as the default, but 3 on
// node0.mic1, 7 on node1.mic0".
std::string placement_text(const SweepRecord& record, const SweepPoint& point);

// The name by which mpirun knows the device. A socket is part of its node; a device outside any node is a host by
// itself. Sockets of a node are numbered in the platform's order.
std::string host_of(const Platform& platform, std::size_t device);
std::size_t socket_of(const Platform& platform, std::size_t device);

// The rankfile of Open MPI: rank by rank a host, and a slot of it. A coprocessor is a host of its own, NODE-DEVICE, as
// its system software names it; ranks on a socket take its cores one after the other.
void write_rankfile(const SweepPoint& point, const Platform& platform, std::ostream& out);
// The machine file of Intel MPI: hosts in the order of the
// ranks, each with the number of ranks that follow one another there.
void write_machinefile(const SweepPoint& point, const Platform& platform, std::ostream& out);

// A line for each rank, its host: what SLURM_HOSTFILE names for srun --distribution=arbitrary.
void write_hostfile(const SweepPoint& point, const Platform& platform, std::ostream& out);
// The command lines that start the best.
void add_launch_lines(const SweepRecord& record, ReportParts& parts);

} // namespace kakehashi
