// Which program this is, finer than its version: a hash of the sources that it was built from.
#pragma once

#include <string_view>

namespace kakehashi {

std::string_view build_id();

} // namespace kakehashi
