// --results and --resume: a file of outcomes that a study goes on with.
#pragma once

#include "study/sweep/evaluation.hpp"
#include "study/sweep/outcome_file.hpp"

namespace kakehashi {

// The file of --results, ready for more lines, and what it has already.
struct ResultFile {
  Outcomes known;
  std::optional<OutcomeLog> log;
};

// Errors: it is there and not to be resumed, cannot be written, or is of another study than this one.
Result<ResultFile> open_results(const std::string& file, bool resume, const Sweep& sweep);

Error other_results(const std::string& file, const Sweep& sweep);

} // namespace kakehashi
