// What a log of a benchmark shows: where protocols change, what the links allow, and which fault would explain it.
#pragma once

#include "model/protocol_variable.hpp"

#include <string>
#include <vector>

namespace kakehashi {

// A variable that may move a change of protocol.
struct MovingVariable {
  const ProtocolVariable* row = nullptr;
  bool is_here = false; // its standard value is where the change is
};

// Where the line that times of messages follow ends, and another begins.
struct FoundChange {
  ProtocolChange kind = ProtocolChange::eager_ends;
  Bytes last;                               // measured size below it
  Bytes first;                              // and above
  Seconds expected;                         // of the first size, if the line below went on
  Seconds measured;                         // likewise, as it is
  Seconds last_measured;                    // of the last size
  Seconds last_after;                       // of it, if the line above began before
  std::optional<BytesPerSecond> rate_below; // of further bytes; none: they take no time
  std::optional<BytesPerSecond> rate_above;
  std::optional<Bytes> even; // the size from which the line above is the faster one, if there is one
  std::vector<MovingVariable> variables;

  Seconds cost() const { return measured - expected; }
};

// A table.
struct ExplainedTable {
  std::string name;
  std::string benchmark;
  bool is_pair = false;   // of two ranks; else there are neither best rates nor changes
  bool is_lone = false;   // one message is under way at a time
  bool is_stream = false; // times are those of a message among many in flight
  std::size_t points = 0;
  Bytes smallest;
  Bytes largest;
  Seconds least;       // time of the smallest message
  BytesPerSecond best; // in one direction
  Bytes best_size;
  std::vector<FoundChange> changes;
};

// Links of the route that are alike, or a memory; or, where no platform is known, one that could carry what was
// measured.
struct AllowedRate {
  std::vector<std::string> links; // empty: a known one
  std::string what;               // "pcie Gen3 x16"
  BytesPerSecond rate;            // of a message in one direction, with all of its stripes
  double reached = 0;             // share of it, by the best rate of all tables
};

// A fault that was tried on the platform.
struct TriedFault {
  std::size_t order = 0; // the usual ones are first
  std::string kind;      // word for programs
  std::string what;      // for people
  std::string check;     // what shows whether it is so; may be empty
  double error = 0;      // mean |ln(predicted / measured)| over a table's sizes, averaged over tables
};

struct LogExplanation {
  std::vector<ExplainedTable> tables;
  std::vector<AllowedRate> links; // the narrowest first
  std::string platform;           // empty: nothing is known
  std::string fabric;
  std::vector<std::string> ranks;
  double error = 0; // of the platform as it is
  // Those that leave the least error, the best first; of those that cannot be told apart from it the usual ones.
  std::vector<TriedFault> faults;
  std::size_t equal = 0;     // so many of them cannot be told apart from the first, itself included
  bool is_explained = false; // the first one explains the log clearly better than no fault
  bool is_assumed = false;   // costs of messages on the platform are
};

} // namespace kakehashi
