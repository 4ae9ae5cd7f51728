// What happened in a run: to messages on their way, phase by phase; to ranks; and what the whole time hangs on.
#pragma once

#include "result/path_log.hpp"
#include "result/phase.hpp"
#include "result/timeline.hpp"

#include <optional>

namespace kakehashi {

struct Span {
  std::uint32_t message = 0; // counted from 0 in the order of their sends
  Phase phase = Phase::flow;
  std::size_t stage = 0;
  std::size_t segment = 0; // of the stage's route
  std::uint32_t piece = 0; // of a message that is sent in pieces
  Seconds start;
  Seconds end;
};

struct SentMessage {
  int from = 0;
  int to = 0;
  int tag = 0;
  Bytes size;
  std::size_t chain = 0; // index into the engine's table of chains
};

// Where a rank's time went until it ended; what it blocked for is waiting or transfer, unless its core was busy.
struct RankTimes {
  Seconds compute;
  Seconds overhead; // its core works for messages
  Seconds waiting;  // the message that it needs is not on its way: its partner has other things to do
  Seconds transfer; // the message that it needs is on its way

  Seconds total() const { return compute + overhead + waiting + transfer; }
};

// Everything that was recorded of a run.
struct Trace {
  // What to record.
  bool keep_messages = true; // each one, and its spans; else only sums
  bool keep_path = false;    // the critical path and the ranks' times, in bounded memory
  std::optional<Timeline> timeline;

  std::vector<SentMessage> messages;
  std::vector<Span> spans;         // those of a message by end
  std::vector<double> chain_bytes; // sent over each chain
  std::vector<RankTimes> ranks;
  CriticalPath path;

  // Forgets what was recorded.
  void clear() {
    messages.clear();
    spans.clear();
    chain_bytes.clear();
    ranks.clear();
    path = {};
    if (timeline)
      timeline->clear();
  }
};

} // namespace kakehashi
