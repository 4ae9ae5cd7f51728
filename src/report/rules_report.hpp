// A file of rules for an MPI library → a table of what each entry does.
#pragma once

#include "model/decision.hpp"

#include <ostream>

namespace kakehashi {

// Entries that do not do what they may be meant to, or that could not be followed.
void write_notes(const CollectiveRules& rules, std::ostream& out);
void write_table(const CollectiveRules& rules, std::ostream& out);

} // namespace kakehashi
