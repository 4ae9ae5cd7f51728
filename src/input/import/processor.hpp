// A processor's name → the memory that its family has.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

// From the data sheet of the family, with all channels in use; none if the name does not tell the family.
std::optional<Memory> memory_of_family(std::string_view processor);

} // namespace kakehashi
