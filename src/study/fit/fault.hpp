// A platform and a path on it → the single faults that it may have, as changes that can be made.
#pragma once

#include "model/scenario.hpp"

#include <functional>
#include <span>

namespace kakehashi {

struct PlantableFault {
  std::string kind;  // narrow-link, slow-generation, slow-signalling, slow-link, small-packets, loaded-link,
                     // other-socket, other-fabric, fewer-adapters, half-memory, slow-cores or moved-limit
  std::string what;  // a short description that names the links or devices
  std::string check; // a check that would confirm it
  std::function<void(Platform&)> change; // may be empty
  std::function<void(Scenario&)> move;   // other ranks or another fabric; may be empty
};

// Describes a link by its data sheet: "pcie Gen3 x16", "infiniband EDR x4", "ethernet 25 Gbit/s".
std::string sheet_text(const Link& link);

// Similar links on the way of long messages between the first two ranks; or a memory, if cores move these messages.
struct LinkGroup {
  std::vector<std::size_t> links; // empty: it is a memory
  std::vector<std::string> names; // "node0.cpu0-node0.hca", without the type
  std::string what;               // the sheet_text of a link
  BytesPerSecond rate;            // of a message in one direction, with all of its stripes
};
std::vector<LinkGroup> groups_on_way(const Scenario& scenario);

// Returns the first rank in another node than rank 0; else on another device; else 1.
int far_rank(const Scenario& scenario);

// The scenarios share platform, fabric and ranks. Similar links on one way have one common fault, since a log cannot
// distinguish them. Usual faults come first.
std::vector<PlantableFault> possible_faults(std::span<const Scenario> scenarios);

Scenario with_fault(const Scenario& scenario, const PlantableFault& fault);

} // namespace kakehashi
