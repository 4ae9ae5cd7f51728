// A machine, as far as a file that people have describes it.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

namespace kakehashi {

struct Imported {
  std::optional<Assembly> node;       // one node
  std::optional<NetworkPlan> network; // what joins nodes
  std::optional<Blueprint> machine;   // nodes and network; the others are empty then
  std::string description;            // of what was read
  std::vector<std::string> notes;     // for the user: what the file lacks
};

} // namespace kakehashi
