// SVG → PNG or PDF, by the program rsvg-convert.
#pragma once

#include "base/error.hpp"

#include <string>

namespace kakehashi {

bool has_converter();
// `form` is "png" or "pdf". Errors: the program cannot be run, or fails.
Result<std::string> converted(const std::string& svg, const std::string& form);

} // namespace kakehashi
