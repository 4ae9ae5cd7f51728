// A platform, or what ranks do → files, those of other programs among them.
#pragma once

#include "model/blueprint.hpp"
#include "model/platform.hpp"
#include "result/exported.hpp"
#include "result/traced_job.hpp"

#include <ostream>

namespace kakehashi {

// SimGrid's platform XML, with SMPI's configuration of the fabric's protocol.
void write_simgrid(const ExportedNetwork& network, std::ostream& out);
// Graphviz's dot: nodes as clusters.
void write_graphviz(const Platform& platform, std::ostream& out);
// InfraGraph's JSON: each kind of node a device, each node an instance.
void write_infragraph(const Platform& platform, std::ostream& out);

// A platform file of ours.
void write_platform(const Blueprint& blueprint, std::ostream& out);

// SimGrid's time-independent trace of all ranks, in one file. Work is in flops: one a nanosecond.
void write_ti(const TracedJob& job, std::ostream& out);
// LogGOPSim's GOAL, as text. Work is in whole nanoseconds.
void write_goal(const TracedJob& job, std::ostream& out);

} // namespace kakehashi
