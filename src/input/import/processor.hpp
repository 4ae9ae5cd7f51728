// A processor's name → what is known of its family.
#pragma once

#include "model/platform.hpp"

namespace kakehashi {

// The memory in the family's data sheet, with all channels in use; none if the name does not show the family.
std::optional<Memory> memory_of_family(std::string_view processor);

// The time in which its cores add incoming vectors, if it is known to differ from the usual time.
std::optional<MpiSettings> reduction_of_family(std::string_view processor);

} // namespace kakehashi
