// Events of a rank, one after the other → which of them are in a part of the recording.
#pragma once

#include "model/replay_part.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

class PartCursor {
public:
  explicit PartCursor(const ReplayPart& part);

  // The share of the event that is in the part: a call is there if it begins there, work by its time.
  double share_of(const TraceEvent& event);
  Seconds time() const { return time_; } // that was recorded up to here, from the first call on

private:
  const ReplayPart& part_;
  Seconds time_;
  Seconds begin_; // of the part; infinite until the rank comes to the region where it begins
  Seconds end_;
  std::uint64_t line_ = 0; // of the last call: what one record becomes stays together
  bool is_in_ = false;
};

} // namespace kakehashi
