// Where the time of a run went: that of each rank, what the whole time hangs on, and how much links were used.
#pragma once

#include "result/recording.hpp"

#include <optional>
#include <string>

namespace kakehashi {

struct LinkUse {
  std::string channel;
  BytesPerSecond capacity;
  double bytes = 0;
  double busy = 0; // share of the run in which it would be busy at its full rate
};

// A part of the critical path.
struct PathShare {
  std::string what; // such as a flow and the link that limits it
  Phase phase = Phase::compute;
  std::size_t stage = 0; // of a staged fabric, unless a core works
  int from = 0;          // rank
  int to = 0;            // the same rank, unless it is a message
  Seconds time;
  Seconds contended; // of that: longer than the flow would take alone on its links
  std::uint64_t steps = 0;
};

// All shares of one kind of step, wherever they are.
struct PathKind {
  std::string what;
  Seconds time;
  Seconds contended;
  std::uint64_t steps = 0;
  std::size_t places = 0;  // ranks, or pairs of ranks
  bool has_others = false; // besides these
  PathShare largest;       // of those that are listed
};
std::vector<PathKind> kinds_of(const std::vector<PathShare>& shares); // the largest first

// The main part of a run's time: the steps of one sort that have most of the critical path.
struct Reason {
  std::string what;
  double share = 0; // of the critical path
};
std::string to_text(const Reason& reason); // as tables have it

// How much of the ranks' time is work, and why not all of it, as the POP project multiplies it: parallel = load balance
// × communication, and communication = serialisation × transfer.
struct Efficiencies {
  double parallel = 1;          // mean work of a run's time
  double load_balance = 1;      // mean work of the most
  double communication = 1;     // most work of the run's time
  std::optional<Seconds> ideal; // the run's time where messages take none; the rest is known then
  double serialisation = 1;     // most work of that
  double transfer = 1;          // that of the run's time
};

struct RunSummary {
  Seconds duration;
  std::vector<RankTimes> ranks;
  std::vector<PathShare> shares;            // the largest first; their times add up to the duration
  std::vector<PathGroup> order;             // in order of time; likewise; none if no time passed
  std::vector<LinkUse> links;               // the busiest first
  std::optional<Traffic> traffic;           // if it was recorded
  std::size_t standing_ranks = 0;           // the first ones, if they stand for all: shares and order are theirs
  std::optional<Efficiencies> efficiencies; // of an application
  bool is_brief = false;                    // a table shows only the most important of it
};
// The ranks that the path is shown at, if not all: "at ranks 0 to 15, which stand for all: …".
std::string place_of_path(const RunSummary& summary);

} // namespace kakehashi
