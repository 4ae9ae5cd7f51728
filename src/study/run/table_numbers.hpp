// A scenario → the numbers of its MPI library's decision tables that bear on its benchmark: half or twice as much has the
// ranks together take another algorithm at one of its sizes.
#pragma once

#include "model/scenario.hpp"
#include "study/run/parameter.hpp"

namespace kakehashi {

inline constexpr const char* tables_place = "/mpi/collectives";

std::vector<Parameter> table_numbers_of(const Scenario& scenario);

} // namespace kakehashi
