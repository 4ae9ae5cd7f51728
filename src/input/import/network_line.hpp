// A network in one line, such as "fat-tree:HDR:36" → its shape and its cables.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

namespace kakehashi {

// Reads "HDR", "HDR100", "NDR200", "OPA", "100GbE", "25 Gbit/s" as a cable of that rate, with an assumed latency.
std::optional<Cable> parse_cable(std::string_view rate);

struct NetworkLine {
  NetworkShape shape; // it joins the nodes' adapters or, in rings and tori, a router for each point
  Cable cable;

  bool has_routers() const { return shape.kind == NetworkKind::ring || shape.kind == NetworkKind::torus; }
};

// Reads KIND:RATE with the parameters of the kind (see network_forms), or RATE alone for one switch. `rails`: number of
// adapters of a node with a port in the network. Errors: the line is none of these, or the network has no room for the
// nodes.
Result<NetworkLine> read_network_line(const std::string& line, std::size_t nodes, std::size_t rails);

// Returns the cable of the line's rate, whatever its kind is. Errors: there is none.
Result<Cable> cable_of_line(const std::string& line);

// A line for each kind, for the help.
std::string_view network_forms();

} // namespace kakehashi
