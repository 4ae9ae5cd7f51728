// Tests of several pairs of ranks → fields of the devices that the pairs share.
#pragma once

#include "model/pairs_test.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"

#include <span>

namespace kakehashi {

// Between nodes the message rate of adapters, and what they carry in both directions together; inside a device the
// bandwidth of its memory. Scenarios with measured windows are tests of one pair. A value is a limit if more pairs do
// not reach proportionally more, or both directions not twice one; else it is only what the devices reach at least.
std::vector<SharedLimit> shared_limits(std::span<const PairsTest> tests, std::span<const Scenario> scenarios);

} // namespace kakehashi
