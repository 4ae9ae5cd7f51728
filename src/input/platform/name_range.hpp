// A name with ranges of numbers, such as "node[0-7].hca" → all the names that it stands for.
#pragma once

#include "input/json/fields.hpp"

#include <optional>

namespace kakehashi {

// "[0-3,8]" stands for 0, 1, 2, 3, 8, and "[00-15]" for two digits each; of several brackets the last runs fastest. A
// name without brackets stands for itself. None, and a fault: what is in brackets is no range, or there are more names
// than a platform may have devices.
std::optional<std::vector<std::string>> names_in(const std::string& text, const std::string& place, Faults& faults);

} // namespace kakehashi
