// The file that names a time-independent trace → a stream for each rank.
//
// It is a list with a file name a line, one for each rank, or one that all ranks share; or it is such a shared trace
// itself. Names are relative to the list's folder, or else to where the command runs.
#pragma once

#include "input/trace/ti_reader.hpp"

namespace kakehashi {

// Errors: a missing file, or another number of files than ranks. What the traces say is not read yet.
Result<std::shared_ptr<const TraceSource>> open_ti(const std::string& file, const TiForm& form);

} // namespace kakehashi
