// What a benchmark's log shows: where protocols change, what the links allow, and which fault would explain the log.
#pragma once

#include "model/protocol_variable.hpp"

#include <string>
#include <vector>

namespace kakehashi {

// A variable that may move a change of protocol.
struct MovingVariable {
  const ProtocolVariable* row = nullptr;
  bool is_here = false; // the change is at the variable's standard value
};

// The size at which one line through the times of messages ends and another begins.
struct FoundChange {
  ProtocolChange kind = ProtocolChange::eager_ends;
  Bytes last;                               // the last measured size on the line below
  Bytes first;                              // the first measured size on the line above
  Seconds expected;                         // time of the first size by the line below
  Seconds measured;                         // measured time of the first size
  Seconds last_measured;                    // measured time of the last size
  Seconds last_after;                       // time of the last size by the line above
  std::optional<BytesPerSecond> rate_below; // bytes per second by the slope below; none: further bytes take no time
  std::optional<BytesPerSecond> rate_above;
  std::optional<Bytes> even; // the size from which the line above is the faster one, if there is such a size
  std::vector<MovingVariable> variables;

  Seconds cost() const { return measured - expected; }
};

// A table of the log.
struct ExplainedTable {
  std::string name;
  std::string benchmark;
  bool is_pair = false;   // it is of two ranks; other tables have neither best rates nor changes
  bool is_lone = false;   // one message is under way at a time
  bool is_stream = false; // its times are those of one message among many in flight
  std::size_t points = 0;
  Bytes smallest;
  Bytes largest;
  Seconds least;       // time of the smallest message
  BytesPerSecond best; // highest rate in one direction
  Bytes best_size;
  std::vector<FoundChange> changes;
};

// The rate of similar links of the route, or of a memory. If the platform is unknown: of a link that could carry the
// measured rate.
struct AllowedRate {
  std::vector<std::string> links; // empty: a usual kind of link, of no known platform
  std::string what;               // "pcie Gen3 x16"
  BytesPerSecond rate;            // rate of a message in one direction, with all of its stripes
  double reached = 0;             // the best rate of all tables, as a share of this one
};

// A fault that was tried on the platform.
struct TriedFault {
  std::size_t order = 0; // usual faults come first
  std::string kind;      // its name in JSON and CSV
  std::string what;      // its description for people
  std::string check;     // a check that would confirm it; may be empty
  double error = 0;      // mean |ln(predicted / measured)| over a table's sizes, averaged over tables
};

struct LogExplanation {
  std::vector<ExplainedTable> tables;
  std::vector<AllowedRate> links; // the narrowest first
  std::string platform;           // empty: no platform is known
  std::string fabric;
  std::vector<std::string> ranks;
  double error = 0; // error of the platform without a fault
  // The faults with the least error, the best first. Faults that fit as well as the best one are in order of how usual
  // they are.
  std::vector<TriedFault> faults;
  std::size_t equal = 0;     // the number of faults that fit as well as the first, including it
  bool is_explained = false; // the first fault explains the log clearly better than no fault
  bool is_assumed = false;   // the platform's costs of messages are assumed
};

} // namespace kakehashi
