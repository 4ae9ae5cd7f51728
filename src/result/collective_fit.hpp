// What logs of collective operations show of a platform, beyond logs of messages between two ranks.
#pragma once

#include "result/calibration.hpp"

namespace kakehashi {

// A log and its errors, which are means of |error|.
struct CollectiveLog {
  std::string name; // includes the operation and the number of ranks
  std::size_t points = 0;
  double before = 0;
  double after = 0;
  std::optional<double> held_out; // error by a fit without this log, or by fits to half of its sizes for the other
                                  // half; none: nothing was held out
};

struct CollectiveField {
  SharedLimit limit;  // the value found; is_limit: the platform gets it. Without devices it belongs to the MPI library.
  std::string before; // the value before, as the platform file would state it
  std::string low, high;  // the true value lies between them in four of five cases; empty: the logs give no such bound
  std::string obstacle{}; // why the field keeps its value
  DeviceKind kind = DeviceKind::cpu; // of the device whose time the MPI library's field states
};

struct CollectiveFit {
  std::vector<CollectiveLog> logs;
  std::vector<CollectiveField> fields;
};

} // namespace kakehashi
