// The name of a fabric that a platform does not have → what is wrong with it, and which ones there are.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// The place is the scenario's. None: nothing was named.
Error unknown_fabric(const Platform& platform, const std::optional<std::string>& name);

} // namespace kakehashi
