// A text that is no quantity → the quantity that it may mean.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kakehashi {

// Returns "100 Gbit/s" for "100Gb/s"; empty if `is_one` takes no variant of the text.
std::string near_quantity(std::string_view text, const std::function<bool(std::string_view)>& is_one);

} // namespace kakehashi
