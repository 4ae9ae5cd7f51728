// The best order of ranks → files that MPI libraries and launchers read.
#pragma once

#include "result/sweep_record.hpp"

#include <ostream>

namespace kakehashi {

// Returns mpirun's name for the device. A socket is part of its node; a device outside any node is a host of its own.
// The sockets of a node are numbered in the platform's order.
std::string host_of(const Platform& platform, std::size_t device);
std::size_t socket_of(const Platform& platform, std::size_t device);

// Writes the rankfile of Open MPI: for each rank a host and a slot on it. A coprocessor is a host of its own,
// NODE-DEVICE, as its system software names it. Ranks on a socket use its cores one after the other.
void write_rankfile(const SweepPoint& point, const Platform& platform, std::ostream& out);
// Writes the machine file of Intel MPI: hosts in the order of ranks, each with the number of adjacent ranks on it.
void write_machinefile(const SweepPoint& point, const Platform& platform, std::ostream& out);
// Writes one line for each rank, its host. SLURM_HOSTFILE names this file for srun --distribution=arbitrary.
void write_hostfile(const SweepPoint& point, const Platform& platform, std::ostream& out);

} // namespace kakehashi
