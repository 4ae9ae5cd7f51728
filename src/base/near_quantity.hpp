// A text that is no quantity → the one that it may have meant.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kakehashi {

// "100 Gbit/s" for "100Gb/s"; empty: nothing that is_one takes.
std::string near_quantity(std::string_view text, const std::function<bool(std::string_view)>& is_one);

} // namespace kakehashi
