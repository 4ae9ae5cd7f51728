// A hash of the sources that this program was built from. It tells two builds of one version apart.
#pragma once

#include <string_view>

namespace kakehashi {

std::string_view build_id();

} // namespace kakehashi
