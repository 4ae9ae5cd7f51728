// A network in one line, such as "fat-tree:HDR:36" → its shape and its cables.
#pragma once

#include "base/error.hpp"
#include "model/blueprint.hpp"

namespace kakehashi {

// "HDR", "HDR100", "NDR200", "OPA", "100GbE", "25 Gbit/s" → a cable of that rate, whose latency is assumed.
std::optional<Cable> parse_cable(std::string_view rate);

struct NetworkLine {
  NetworkShape shape; // of what it joins: the nodes' adapters, or in rings and tori a router for each point
  Cable cable;

  bool has_routers() const { return shape.kind == NetworkKind::ring || shape.kind == NetworkKind::torus; }
};

// KIND:RATE and what the kind takes (see network_forms), or RATE alone for one switch. `rails`: adapters of a node that
// have a port in it. Errors: it is none, or has no room for the nodes.
Result<NetworkLine> read_network_line(const std::string& line, std::size_t nodes, std::size_t rails);

// The rate that a line begins with, whatever its kind is. Errors: it has none.
Result<Cable> cable_of_line(const std::string& line);

// A line for each kind, for the help text.
std::string_view network_forms();

} // namespace kakehashi
