// The key "mpi" of a platform or a scenario → the settings of the MPI library.
#pragma once

#include "input/json/fields.hpp"
#include "model/collective.hpp"

namespace kakehashi {

// `elsewhere` gets the faults of the file of rules, if one is named.
MpiSettings read_mpi(const JsonDocument& document, Faults& faults, Errors& elsewhere);

// Returns the settings with the decision tables of that name, or with the operation's algorithm of that name; none if
// it names neither.
std::optional<MpiSettings> with_library(MpiSettings settings, Collective collective, std::string_view name);

} // namespace kakehashi
