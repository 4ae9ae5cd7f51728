// A platform → the files of other programs.
#pragma once

#include "model/platform.hpp"
#include "result/exported.hpp"

#include <ostream>

namespace kakehashi {

// SimGrid's platform XML, with SMPI's configuration of the fabric's protocol.
void write_simgrid(const ExportedNetwork& network, std::ostream& out);
// Graphviz's dot: nodes as clusters.
void write_graphviz(const Platform& platform, std::ostream& out);
// InfraGraph's JSON: each kind of node a device, each node an instance.
void write_infragraph(const Platform& platform, std::ostream& out);

} // namespace kakehashi
