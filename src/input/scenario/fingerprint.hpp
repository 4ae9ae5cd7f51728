// The files of a sweep → a number that shows whether results still belong to them.
#pragma once

#include "base/error.hpp"
#include "model/sweep.hpp"

namespace kakehashi {

// `texts` are those of the documents. The contents of files that runs read (traces, rules of MPI libraries) and the
// sources of the program count, too. Errors: a file cannot be read.
Result<std::uint64_t> fingerprint_of(const std::vector<std::string>& texts, const std::vector<Variant>& variants);

} // namespace kakehashi
