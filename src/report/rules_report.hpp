// A file of rules for an MPI library → a table of what each entry does.
#pragma once

#include "model/decision.hpp"

#include <ostream>

namespace kakehashi {

void write_table(const CollectiveRules& rules, std::ostream& out);

} // namespace kakehashi
