// A processor's name → what its family has, or is known to do.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

// From the data sheet of the family, with all channels in use; none if the name does not tell the family.
std::optional<Memory> memory_of_family(std::string_view processor);

// The time in which a core of it adds incoming vectors, where that is known to be another than the usual.
std::optional<MpiSettings> reduction_of_family(std::string_view processor);

} // namespace kakehashi
