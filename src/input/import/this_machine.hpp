// The machine that this runs on → a node.
#pragma once

#include "input/import/imported.hpp"

namespace kakehashi {

// By libhwloc. Errors: it cannot look at the machine.
Result<Imported> read_this_machine();

} // namespace kakehashi
