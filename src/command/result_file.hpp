// --results and --resume: a file of outcomes with which a study continues.
#pragma once

#include "study/sweep/evaluation.hpp"
#include "study/sweep/outcome_file.hpp"

namespace kakehashi {

// The file of --results, ready for more lines, and its present outcomes.
struct ResultFile {
  Outcomes known;
  std::optional<OutcomeLog> log;
};

// Errors: the file exists and is not to be resumed, cannot be written, or belongs to another study.
Result<ResultFile> open_results(const std::string& file, bool resume, const Sweep& sweep);

Error other_results(const std::string& file, const Sweep& sweep);

} // namespace kakehashi
