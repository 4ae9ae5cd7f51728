// The events of a rank, one after the other → whether each is in a part of the recording.
#pragma once

#include "model/replay_part.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

class PartCursor {
public:
  explicit PartCursor(const ReplayPart& part);

  // Returns the share of the event that is in the part: a call counts if it begins there, work by its time.
  double share_of(const TraceEvent& event);
  Seconds time() const { return time_; } // recorded time since the first call

private:
  const ReplayPart& part_;
  Seconds time_;
  Seconds begin_; // of the part; infinite until the rank enters the region with which it begins
  Seconds end_;
  std::uint64_t line_ = 0; // of the last call; all events from one record stay together
  bool is_in_ = false;
};

} // namespace kakehashi
