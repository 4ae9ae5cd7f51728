// A platform, or the operations of ranks → files, among them those of other programs.
#pragma once

#include "model/blueprint.hpp"
#include "model/platform.hpp"
#include "result/exported.hpp"
#include "result/record.hpp"

#include <ostream>

namespace kakehashi {

// Writes SimGrid's platform XML, with SMPI's configuration for the fabric's protocol.
void write_simgrid(const ExportedNetwork& network, std::ostream& out);
// Writes Graphviz's dot; nodes are clusters.
void write_graphviz(const Platform& platform, std::ostream& out);
// Writes InfraGraph's JSON: each kind of node is a device, each node an instance.
void write_infragraph(const Platform& platform, std::ostream& out);

// Writes a platform file of ours.
void write_platform(const Blueprint& blueprint, std::ostream& out);

// Writes SimGrid's time-independent trace of all ranks in one file. Work is in flops, one per nanosecond.
void write_ti(const TracedJob& job, std::ostream& out);
// Writes LogGOPSim's GOAL as text. Work is in whole nanoseconds.
void write_goal(const TracedJob& job, std::ostream& out);

// The time line of a run → a file for a viewer.
struct TimelineLink {
  std::string name;
  BytesPerSecond capacity;
};

struct RunTimeline {
  const RunRecord& record;
  const Recording& recording;      // with a time line and the ranks' times
  std::vector<TimelineLink> links; // all channels
};

// Writes Chrome's trace event format, which Perfetto opens: a row for each rank and each link, counters of the
// transfers on each link, and arrows for messages.
void write_chrome(const RunTimeline& run, std::ostream& out);
// Writes the Paje format, which ViTE opens: containers for ranks and links, states, variables and links (messages).
void write_paje(const RunTimeline& run, std::ostream& out);

} // namespace kakehashi
