// The functions that the program finds in kakehashi-simgrid.so. To load SimGrid takes 20 ms, with all that Debian's is
// linked with, so the program does it when a run needs SimGrid; the library, which others link, has it from the start.
#pragma once

#include "engine/flow/network.hpp"

namespace kakehashi {

struct SimGridModule {
  decltype(&make_simgrid_network) make_network;
  decltype(&simgrid_name) name;
};

} // namespace kakehashi

extern "C" const kakehashi::SimGridModule kakehashi_simgrid;
