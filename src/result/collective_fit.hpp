// What logs of collective operations show of a platform beyond what messages between two ranks do.
#pragma once

#include "result/calibration.hpp"

namespace kakehashi {

// Errors are means of |error|.
struct CollectiveLog {
  std::string name; // with the operation and the number of ranks
  std::size_t points = 0;
  double before = 0;
  double after = 0;
  std::optional<double> held_out; // by what was fitted without it, or by halves without these sizes; none: nothing was
};

struct CollectiveField {
  SharedLimit limit;                 // the value found; is_limit: the platform gets it. No devices: the MPI library's
  std::string before;                // as the platform file would state it
  std::string low, high;             // in four of five cases; empty: the logs give no such bound
  std::string obstacle{};            // why it stays as it is
  DeviceKind kind = DeviceKind::cpu; // whose time it is, of the MPI library's
};

struct CollectiveFit {
  std::vector<CollectiveLog> logs;
  std::vector<CollectiveField> fields;
};

} // namespace kakehashi
