// The functions that the program finds in kakehashi-simgrid.so. SimGrid, with all that Debian's build is linked with,
// takes 20 ms to load, so the program loads it only when a run needs it. The library, which other programs link, has it
// from the start.
#pragma once

#include "engine/flow/network.hpp"

namespace kakehashi {

struct SimGridModule {
  decltype(&make_simgrid_network) make_network;
  decltype(&simgrid_name) name;
};

} // namespace kakehashi

extern "C" const kakehashi::SimGridModule kakehashi_simgrid;
