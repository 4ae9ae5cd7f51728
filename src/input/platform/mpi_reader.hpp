// The key "mpi" of a platform or a scenario → what it says of the MPI library.
#pragma once

#include "input/json/fields.hpp"
#include "model/collective.hpp"

namespace kakehashi {

// elsewhere: the faults of a file of rules that it names.
MpiSettings read_mpi(const JsonDocument& document, Faults& faults, Errors& elsewhere);

// The settings with decision tables of that name, or with the operation's algorithm of that name; none if it is
// neither.
std::optional<MpiSettings> with_library(MpiSettings settings, Collective collective, std::string_view name);

} // namespace kakehashi
