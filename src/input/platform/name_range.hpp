// A name with ranges of numbers, such as "node[0-7].hca" → all names for which it stands.
#pragma once

#include "input/json/fields.hpp"

#include <optional>

namespace kakehashi {

// "[0-3,8]" stands for 0, 1, 2, 3, 8, and "[00-15]" for two digits each. Of several brackets the last one runs fastest.
// A name without brackets stands for itself. Returns none, with a fault, if a bracket holds no range, or there are more
// names than a platform may have devices.
std::optional<std::vector<std::string>> names_in(const std::string& text, const std::string& place, Faults& faults);

} // namespace kakehashi
