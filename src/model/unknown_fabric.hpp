// The name of a fabric that a platform lacks → an error that lists the platform's fabrics.
#pragma once

#include "base/error.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// The error is one of the scenario. No name: the scenario names no fabric.
Error unknown_fabric(const Platform& platform, const std::optional<std::string>& name);

} // namespace kakehashi
