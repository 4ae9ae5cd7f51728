// The time line of a run → a file for a viewer.
#pragma once

#include "result/record.hpp"

#include <ostream>

namespace kakehashi {

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
