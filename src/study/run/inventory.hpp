// A platform → what each of its fabrics gives between its devices, simulated.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"
#include "result/inventory.hpp"

#include <memory>

namespace kakehashi {

// Between the devices that run ranks, of the first two nodes alone if there are more than so many.
inline constexpr std::size_t most_listed = 16;

// Those that run ranks, up to the limit; how many others there are.
std::vector<std::size_t> listed_devices(const Platform& platform, std::size_t& left_out);

PlatformInventory inventory_of(const std::shared_ptr<const Platform>& platform);

} // namespace kakehashi
