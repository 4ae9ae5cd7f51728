// The recorder's sources → libkakehashi-record.so for an MPI, kept for the next time.
#pragma once

#include "base/error.hpp"

#include <iosfwd>
#include <string>

namespace kakehashi {

// The library's path. It is compiled where there is none yet for what this compiler does and these sources, in
// $XDG_CACHE_HOME/kakehashi (~/.cache/kakehashi). Errors: no such compiler, no Zstandard, no place.
Result<std::string> build_recorder(const std::string& mpicc, std::ostream& progress);

} // namespace kakehashi
