// A machine → the same with devices that are alike as one: no ranks, and the same links to the same neighbours.
#pragma once

#include "result/machine.hpp"

namespace kakehashi {

// Three or more of a node become one, whose name is that of the first and the last: "node0.hca0-hca15".
Machine bundled(const Machine& machine);

} // namespace kakehashi
