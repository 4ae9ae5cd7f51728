// The style sheet and the script of every page; CMake puts them into the program.
#pragma once

#include <string_view>

namespace kakehashi {

extern const std::string_view page_style;  // style.css
extern const std::string_view page_script; // script.js

} // namespace kakehashi
