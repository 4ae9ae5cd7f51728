// What an option asks for, and the words before it → the names that a shell may complete it by.
#pragma once

#include "command/option.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// Returns the kind of names that an option or argument of a command takes: "benchmarks", "fabrics" … Empty: it takes
// none.
std::string_view kind_of_names(std::string_view command, const OptionRow& row);

// Returns all names of a kind, sorted. Fabrics and devices are those of the platform that the words name, or whose
// scenario they name.
std::vector<std::string> names_of_kind(std::string_view kind, const std::vector<std::string>& words);

} // namespace kakehashi
