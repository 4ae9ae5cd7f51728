// A machine → the same with similar devices drawn as one: those without ranks, and with the same links to the same
// neighbours.
#pragma once

#include "result/machine.hpp"

namespace kakehashi {

// Three or more devices of a node become one, which is named after the first and the last: "node0.hca0-hca15".
Machine with_alike_as_one(const Machine& machine);

} // namespace kakehashi
