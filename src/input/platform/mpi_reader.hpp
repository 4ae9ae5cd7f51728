// The key "mpi" of a platform or a scenario → what it says of the MPI library.
#pragma once

#include "input/json/fields.hpp"
#include "model/collective.hpp"

namespace kakehashi {

MpiSettings read_mpi(const nlohmann::json& root, Faults& faults);

} // namespace kakehashi
