// The record of a run: the messages that were sent, the times of ranks, and the critical path.
#pragma once

#include "result/path_log.hpp"
#include "result/phase.hpp"
#include "result/timeline.hpp"
#include "result/traffic.hpp"

#include <array>
#include <optional>

namespace kakehashi {

struct SentMessage {
  int from = 0;
  int to = 0;
  int tag = 0;
  Bytes size;
  std::size_t way = 0; // index into the engine's table of ways
};

// How a rank spent its time until it ended. Time in which it was blocked is waiting or transfer, unless its core was
// busy.
struct RankTimes {
  Seconds compute;
  Seconds overhead; // its core worked for messages
  Seconds waiting;  // the message that it needed was not on its way, because its partner was busy otherwise
  Seconds transfer; // the message that it needed was on its way

  Seconds total() const { return compute + overhead + waiting + transfer; }
  std::array<Seconds, 4> parts() const { return {compute, overhead, waiting, transfer}; }
};

// Everything that was recorded of a run.
struct Recording {
  // What is to be recorded:
  bool keep_path = false;  // the critical path and the ranks' times, in bounded memory
  bool keep_steps = false; // keep each step of the path, if there are at most half a million
  std::optional<Timeline> timeline;
  std::optional<Traffic> traffic; // the messages between ranks

  std::vector<double> channel_bytes; // bytes that each channel carried
  std::vector<RankTimes> ranks;
  // The times of all ranks by the place of the program where they are; number 0: no place.
  std::vector<RankTimes> places;
  CriticalPath path;
  std::size_t standing_ranks = 0; // the number of ranks that stood for all, whose path this is; 0: all ranks ran

  // Discards what was recorded.
  void clear() {
    channel_bytes.clear();
    ranks.clear();
    places.clear();
    path = {};
    standing_ranks = 0;
    if (timeline)
      timeline->clear();
    if (traffic)
      traffic->clear();
  }
};

} // namespace kakehashi
