// A platform file → a Platform, or all of its faults.
#pragma once

#include "base/error.hpp"
#include "input/json/json_document.hpp"
#include "model/platform.hpp"

namespace kakehashi {

Result<Platform> read_platform(const std::string& file);
Result<Platform> parse_platform(const JsonDocument& document);

} // namespace kakehashi
