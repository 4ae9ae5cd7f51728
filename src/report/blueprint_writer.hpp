// An imported machine → the text of its platform file.
#pragma once

#include "model/blueprint.hpp"

#include <ostream>

namespace kakehashi {

void write_platform(const Blueprint& blueprint, std::ostream& out);

} // namespace kakehashi
