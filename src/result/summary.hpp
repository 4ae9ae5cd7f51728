// How a run spent its time: the times of each rank, the critical path, and the loads of links.
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
  std::string what; // its description, such as a flow and the link that limits it
  Phase phase = Phase::compute;
  std::size_t stage = 0; // stage of a staged fabric, unless a core works
  int from = 0;          // rank
  int to = 0;            // the same rank, unless the part is a message
  Seconds time;
  Seconds contended; // the part of it by which the flow takes longer than it would take alone on its links
  std::uint64_t steps = 0;
};

// The sum of all shares of one kind of step.
struct PathKind {
  std::string what;
  Seconds time;
  Seconds contended;
  std::uint64_t steps = 0;
  std::size_t places = 0;  // ranks, or pairs of ranks
  bool has_others = false; // the kind also has shares that are not listed
  PathShare largest;       // the largest share that is listed
};
std::vector<PathKind> kinds_of(const std::vector<PathShare>& shares); // the largest first

// The main part of a run's time: the kind of steps with most of the critical path.
struct Reason {
  std::string what;
  double share = 0; // share of the critical path
};
std::string to_text(const Reason& reason); // as tables show it

// How much of the ranks' time is work, and why not all of it, as factors that the POP project defines: parallel = load
// balance × communication, and communication = serialisation × transfer.
struct Efficiencies {
  double parallel = 1;          // mean work of a rank over the run's time
  double load_balance = 1;      // mean work over the largest work
  double communication = 1;     // largest work over the run's time
  std::optional<Seconds> ideal; // the run's time if messages took no time; none: it and the next two are unknown
  double serialisation = 1;     // largest work over the ideal time
  double transfer = 1;          // ideal time over the run's time
};

struct RunSummary {
  RateUnit unit; // of what is printed
  Seconds duration;
  std::vector<RankTimes> ranks;
  std::vector<PathShare> shares; // the largest first; their times add up to the duration
  // The path's stretches in the order of time, which also add up to the duration; empty if no time passed.
  std::vector<PathGroup> order;
  std::vector<LinkUse> links;     // the busiest first
  std::optional<Traffic> traffic; // none: it was not recorded
  // The number of ranks that stand for all, to which shares and order belong; 0: all ranks ran.
  std::size_t standing_ranks = 0;
  std::optional<Efficiencies> efficiencies; // efficiencies of an application
  bool is_brief = false;                    // tables show only its most important parts
};
// Names the ranks whose path is shown, if they stand for all: "at ranks 0 to 15, which stand for all: …".
std::string place_of_path(const RunSummary& summary);

} // namespace kakehashi
