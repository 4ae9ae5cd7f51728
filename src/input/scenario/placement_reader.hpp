// The key "ranks", and patterns of devices → devices.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// Returns "a device of cluster.json: node0.cpu0, node0.cpu1 and 6 more", which lists devices that ranks can run on.
std::string devices_of(const Platform& platform);

// Returns the device of each rank; empty, with faults, if they cannot be found.
std::vector<std::size_t> read_ranks(const nlohmann::json& ranks, const Platform& platform, Faults& faults);

// Returns the devices that a list of patterns matches, in its order. A pattern that matches nothing and a device that
// matches twice are faults.
std::vector<std::size_t> matched_devices(const nlohmann::json& patterns, const std::string& place,
                                         const Platform& platform, Faults& faults);

} // namespace kakehashi
