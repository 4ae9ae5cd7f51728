// MPICH's own selections of algorithms, from files of its sources or from its shared library.
#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

struct MpichSelection {
  std::string file; // where it is from
  std::string text; // JSON
};
struct MpichBase {
  MpichSelection mpir;
  std::optional<MpichSelection> compositions; // of ch4
  // "4.0", or "4.1" for all later ones, by the functions that it has; empty: they do not show it.
  std::string_view release;
};

// `files` are generic.json of mpir, and optionally that of ch4, or a shared library, which has both. Errors: a file
// cannot be read; a library has no selection.
Result<MpichBase> read_mpich_base(const std::vector<std::string>& files);

} // namespace kakehashi
