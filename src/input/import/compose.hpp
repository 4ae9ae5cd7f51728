// One node's parts × a network → a machine that is complete enough to run.
#pragma once

#include "base/error.hpp"
#include "input/import/format.hpp"
#include "input/import/network_line.hpp"

namespace kakehashi {

// The adapters of a node that a cable of this type can be put into; the fastest ones.
std::vector<std::string> adapters_for(const Assembly& node, LinkType type);

// Gives the node so many adapters for a network. Those that it has are kept; new ones are dealt out to its sockets.
void set_adapters(Assembly& node, const Cable& cable, std::size_t count, std::vector<std::string>& notes);

// A node as the network's hosts are, where nothing else describes it: one socket.
Assembly plain_node();

// A single node, without a network.
Blueprint compose(const std::string& name, const Assembly& node);
// A node without an adapter for the network gets one. Notes say what was added.
Blueprint compose(const std::string& name, Assembly node, const NetworkPlan& network, std::vector<std::string>& notes);
// So many nodes alike.
Blueprint compose(const std::string& name, Assembly node, const NetworkLine& network, std::size_t nodes,
                  std::vector<std::string>& notes);

// Fabrics for all kinds of messages on this machine, with assumed costs of the software, unless it has fabrics already.
void add_fabrics(Blueprint& blueprint);

} // namespace kakehashi
