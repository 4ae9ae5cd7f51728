// A platform → what each of its fabrics gives between its devices, and where its routes and caps need a look.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"
#include "result/inventory.hpp"
#include "result/way_choice.hpp"
#include "topology/topology.hpp"

#include <memory>

namespace kakehashi {

// Between the devices that run ranks, of the first two nodes alone if there are more than so many.
inline constexpr std::size_t most_listed = 16;
// Those that run ranks, up to the limit; how many others there are.
std::vector<std::size_t> listed_devices(const Platform& platform, std::size_t& left_out);

// Simulated.
PlatformInventory inventory_of(const std::shared_ptr<const Platform>& platform);

// Warnings of each regime whose cap is within a tenth of what the narrowest link of its messages carries, so that
// another link would change little. Looks at the ways between the listed devices.
std::vector<std::string> near_caps(const Platform& platform);

// Link types in order of travel: "pcie qpi pcie".
std::string links_text(const Platform& platform, std::span<const std::size_t> links);
// The ways between two devices, the route first; fewer than two if there was nothing to choose.
std::vector<WayFigures> ways_between(const Platform& platform, Topology& topology, const Fabric& fabric,
                                     std::size_t from, std::size_t to, Side initiator);
// Where routes were chosen from several ways, between the listed devices and those of the last node.
std::vector<RouteChoices> route_choices(const Platform& platform);

} // namespace kakehashi
