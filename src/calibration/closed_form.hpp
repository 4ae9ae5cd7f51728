// The parameters of a regime → the result of a test, if nothing else used the machine.
#pragma once

#include "calibration/observation.hpp"

namespace kakehashi {

// The parameters of one regime for all path classes, in us and us/B. If cores move the payload, sending and receiving
// have costs of their own; otherwise the cost at an end is the same for both.
struct RegimeValues {
  int trips = 1;
  PerKind<double> send{};
  PerKind<double> receive{};
  PerKind<double> send_byte{};
  PerKind<double> receive_byte{};
  std::vector<double> setup;    // for each path class
  std::vector<double> cap_byte; // for each path class; time of a byte under the cap, 0: no cap
  double gap = 0;
};

// Returns the one-way time of a message, in us.
double one_way_time(const RegimeValues& regime, const Observation& test, double size);

// Returns the test's result for this size, in the unit of its curve. `answer` is the one-way time of the 4-byte answer,
// in us.
double predicted_value(const RegimeValues& regime, const Observation& test, double size, double answer);

} // namespace kakehashi
