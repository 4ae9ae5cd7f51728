// Which adapters of a node join the network between nodes.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

namespace kakehashi {

// Returns the adapters of a node that take a cable of this type.
std::vector<std::string> adapters_for(const Assembly& node, LinkType type);

// The rate of an adapter's slot; 0 if it has none.
BytesPerSecond slot_rate(const Assembly& node, const std::string& adapter);

// Stated as "2", "NDR:2" or "hca0,mlx5_3".
struct WantedAdapters {
  std::size_t count = 0;          // 0: those of the rule
  std::string rate;               // of their cables; empty: not stated
  std::vector<std::string> names; // by the node's or the system's name; empty: not stated
};
Result<WantedAdapters> read_adapters(const std::string& text);

// Sets those of a node that join the network: the stated ones. Without names all that are for this network, but if only
// some of them are no bonds, are below a switch with a GPU, or have a fast slot, then these. It adds what is missing,
// dealt out to the sockets. Notes state what was left out or added. Errors: the node has no adapter of a stated name.
Errors choose_adapters(Assembly& node, const Cable& cable, const WantedAdapters& wanted,
                       std::vector<std::string>& notes);

} // namespace kakehashi
