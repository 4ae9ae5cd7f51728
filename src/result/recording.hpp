// The events of a run: of messages on their way, phase by phase; to ranks; and what the whole time hangs on.
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

// Where a rank's time went until it ended; what it blocked for is waiting or transfer, unless its core was busy.
struct RankTimes {
  Seconds compute;
  Seconds overhead; // its core works for messages
  Seconds waiting;  // the message that it needs is not on its way: its partner has other things to do
  Seconds transfer; // the message that it needs is on its way

  Seconds total() const { return compute + overhead + waiting + transfer; }
  std::array<Seconds, 4> parts() const { return {compute, overhead, waiting, transfer}; }
};

// Everything that was recorded of a run.
struct Recording {
  // The wishes: the parts to record.
  bool keep_path = false;  // the critical path and the ranks' times, in bounded memory
  bool keep_steps = false; // of the path each one, where half a million causes are enough for that
  std::optional<Timeline> timeline;
  std::optional<Traffic> traffic; // who sends to whom

  std::vector<double> channel_bytes; // that each channel carried
  std::vector<RankTimes> ranks;
  std::vector<RankTimes> places; // of all ranks, by the number of the place of the program where they are; 0: none
  CriticalPath path;
  std::size_t standing_ranks = 0; // the first ones, if they stood for all: the path is theirs

  // Forgets what was recorded.
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
