// The parts of one node, and a network → a machine that can run.
#pragma once

#include "base/error.hpp"
#include "input/import/format.hpp"
#include "input/import/network_line.hpp"

namespace kakehashi {

// A node for the network's hosts if nothing describes one: one socket.
Assembly plain_node();

// Makes a single node without a network.
Blueprint compose(const std::string& name, const Assembly& node);
// Makes the machine of a network. A node without an adapter for the network gets one. Notes state what was added.
Blueprint compose(const std::string& name, Assembly node, const NetworkPlan& network, std::vector<std::string>& notes);
// Makes `nodes` equal nodes.
Blueprint compose(const std::string& name, Assembly node, const NetworkLine& network, std::size_t nodes,
                  std::vector<std::string>& notes);

// Adds fabrics for all kinds of messages on this machine, with assumed costs of software, unless it has fabrics.
void add_fabrics(Blueprint& blueprint);

} // namespace kakehashi
