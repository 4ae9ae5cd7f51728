// Tests of several pairs of ranks → fields of the devices that the pairs share.
#pragma once

#include "model/pairs_test.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"

#include <span>

namespace kakehashi {

// Between nodes: the message rate of adapters, and their bandwidth of both directions together. Inside a device: the
// bandwidth of its memory. Scenarios with measured windows are tests of one pair. A value is a limit if more pairs do
// not reach proportionally more, or both directions not twice one; otherwise it is only the least that the devices
// reach.
std::vector<SharedLimit> shared_limits(std::span<const PairsTest> tests, std::span<const Scenario> scenarios);

} // namespace kakehashi
