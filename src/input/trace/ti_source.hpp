// The file that names a time-independent trace → a stream for each rank.
//
// It is a list with a file name a line, one for each rank, or one that all ranks share; or it is such a shared trace
// itself. Names are relative to the list's folder, or else to where the command runs.
#pragma once

#include "input/trace/ti_form.hpp"
#include "model/trace_event.hpp"

namespace kakehashi {

// All traces are read once, for what they tell of each other. Errors: a missing file, another number of files than
// ranks, or a shared file that has lines of other ranks.
Result<std::shared_ptr<const TraceSource>> open_ti(const std::string& file, const TiForm& form);

} // namespace kakehashi
