// The advice of errors where hosts of GPUs have no way to each other or to their GPUs.
#pragma once

#include <string_view>

namespace kakehashi {

inline constexpr std::string_view hosts_advice =
    "the MPI library adds vectors of GPUs on their hosts: \"host_fabric\" of \"mpi\" names a fabric for them, "
    "and \"gpu_reductions\": \"device\" adds on the GPUs";

} // namespace kakehashi
