// An algorithm as the users of an MPI library state it.
#pragma once

#include "model/collective.hpp"

#include <string_view>

namespace kakehashi {

struct LibraryForm {
  AlgorithmChoice choice;         // what it is here, unless vectors are too short for it
  int number = 0;                 // Open MPI's, Intel MPI's
  std::string_view function = {}; // MPICH's: "ring" of MPIR_Allgather_intra_ring
  int fan_out = 0;                // of Open MPI's chains
};

} // namespace kakehashi
