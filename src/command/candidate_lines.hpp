// Placements, one a line → a line of JSON with the outcome of each, as soon as it is known.
#pragma once

#include "command/shell/terminal.hpp"
#include "study/sweep/evaluation.hpp"

#include <string>

namespace kakehashi {

// "-": standard input; lines that come while others run are the next ones to run together. Errors: those of the lines,
// which have an outcome with this failure; a candidate had no chance to run.
Errors answer_candidates(const std::string& file, const Sweep& sweep, Outcomes known, const EvaluationOptions& how,
                         bool prunes, const Streams& streams);

} // namespace kakehashi
