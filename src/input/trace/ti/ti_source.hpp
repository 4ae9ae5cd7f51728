// The file that names a time-independent trace → a stream for each rank.
//
// The file lists file names, one per line: one for each rank, or one that all ranks share. Or it is such a shared trace
// itself. Names are relative to the list's folder, or else to the current folder.
#pragma once

#include "input/trace/ti/ti_form.hpp"
#include "model/trace_event.hpp"

#include <memory>

namespace kakehashi {

// Reads all traces, once. Errors: a file is missing, the number of files is not that
// of the ranks, or a shared file has lines of other ranks.
Result<std::shared_ptr<const TraceSource>> open_ti(const std::string& file, const TiForm& form);

} // namespace kakehashi
