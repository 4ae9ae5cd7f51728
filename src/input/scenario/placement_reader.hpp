// The key "ranks" and patterns of devices → devices.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// "a device of cluster.json: node0.cpu0, node0.cpu1 and 6 more": those that ranks can run on.
std::string devices_of(const Platform& platform);

// The device of each rank; none, and faults, if they are not known.
std::vector<std::size_t> read_ranks(const nlohmann::json& ranks, const Platform& platform, Faults& faults);

// The devices that match a list of patterns, in its order; a fault if one matches nothing, or a device twice.
std::vector<std::size_t> matched_devices(const nlohmann::json& patterns, const std::string& place,
                                         const Platform& platform, Faults& faults);

} // namespace kakehashi
