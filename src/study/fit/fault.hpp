// A platform and a path on it → the single faults that it may have, each of which can be planted.
#pragma once

#include "model/scenario.hpp"

#include <functional>
#include <span>

namespace kakehashi {

struct PlantableFault {
  std::string kind;  // narrow-link, slow-generation, slow-signalling, slow-link, small-packets, loaded-link,
                     // other-socket, other-fabric, fewer-adapters, half-memory, slow-cores or moved-limit
  std::string what;  // in a few words, with the links or devices that it is of
  std::string check; // what shows whether it is so
  std::function<void(Platform&)> change; // may be empty
  std::function<void(Scenario&)> move;   // likewise: other ranks or another fabric
};

// What a link's data sheet has it be: "pcie Gen3 x16", "infiniband EDR x4", "ethernet 25 Gbit/s".
std::string sheet_text(const Link& link);

// Links that are alike, on the way of long messages between the first two ranks; or, where cores move them, a memory.
struct LinkGroup {
  std::vector<std::size_t> links; // none: it is no link
  std::vector<std::string> names; // "node0.cpu0-node0.hca", without the type
  std::string what;               // sheet_text of a link
  BytesPerSecond rate;            // of a message in one direction, with all of its stripes
};
std::vector<LinkGroup> groups_on_way(const Scenario& scenario);

// The first rank in another node than rank 0; else on another device; else 1.
int far_rank(const Scenario& scenario);

// Of scenarios that share platform, fabric and ranks. Faults of links that are alike and on the same way are
// one fault, since a log does not tell them apart. The usual ones are first.
std::vector<PlantableFault> possible_faults(std::span<const Scenario> scenarios);

Scenario with_fault(const Scenario& scenario, const PlantableFault& fault);

} // namespace kakehashi
