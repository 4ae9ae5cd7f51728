// The name or number that an MPI library's users give an algorithm.
#pragma once

#include "model/collective.hpp"

#include <string_view>

namespace kakehashi {

struct LibraryForm {
  AlgorithmChoice choice;         // the algorithm that runs, unless vectors are too short for it
  int number = 0;                 // in Open MPI and Intel MPI
  std::string_view function = {}; // in MPICH: "ring" of MPIR_Allgather_intra_ring
  int fan_out = 0;                // of Open MPI's chains
};

} // namespace kakehashi
