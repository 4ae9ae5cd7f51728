// A platform → the figures of each fabric between devices, and notes on routes and caps that need a look.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"
#include "result/inventory.hpp"
#include "result/way_choice.hpp"
#include "topology/topology.hpp"

#include <memory>

namespace kakehashi {

// The limit for the devices that are listed. If more run ranks, only those of the first two nodes are listed.
inline constexpr std::size_t most_listed = 16;
// Returns the listed devices; left_out becomes the number of other devices that run ranks.
std::vector<std::size_t> listed_devices(const Platform& platform, std::size_t& left_out);

// Simulates the figures.
PlatformInventory inventory_of(const std::shared_ptr<const Platform>& platform);

// Warns of each regime whose cap is within a tenth of its messages' narrowest link, so that another link would change
// little. It looks at the ways between the listed devices.
std::vector<std::string> near_caps(const Platform& platform);

// Returns the types of links in order of travel: "pcie qpi pcie".
std::string links_text(const Platform& platform, std::span<const std::size_t> links);
// Returns the ways between two devices, the route first; fewer than two if there was no choice.
std::vector<WayFigures> ways_between(const Platform& platform, Topology& topology, const Fabric& fabric,
                                     std::size_t from, std::size_t to, Side initiator);
// Returns the routes that were chosen from several ways, between the listed devices and those of the last node.
std::vector<RouteChoices> route_choices(const Platform& platform);

} // namespace kakehashi
