// A platform → where its routes were chosen from several ways.
#pragma once

#include "model/platform.hpp"
#include "result/way_choice.hpp"
#include "topology/topology.hpp"

namespace kakehashi {

// Link types in order of travel: "pcie qpi pcie".
std::string links_text(const Platform& platform, std::span<const std::size_t> links);

// The ways between two devices, the route first; fewer than two if there was nothing to choose.
std::vector<WayFigures> ways_between(const Platform& platform, Topology& topology, const Fabric& fabric,
                                     std::size_t from, std::size_t to, Side initiator);

// Between the devices that `list` shows, and those of the last node.
std::vector<RouteChoices> route_choices(const Platform& platform);

} // namespace kakehashi
