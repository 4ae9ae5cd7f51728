// The recorder's sources → libkakehashi-record.so for an MPI library, which is kept for the next time.
#pragma once

#include "base/error.hpp"

#include <iosfwd>
#include <string>

namespace kakehashi {

// Returns the library's path in $XDG_CACHE_HOME/kakehashi (~/.cache/kakehashi). It is compiled unless there is one for
// these sources and what this compiler does. Errors: there is no such compiler, no Zstandard, or no place.
Result<std::string> build_recorder(const std::string& mpicc, std::ostream& progress);

} // namespace kakehashi
