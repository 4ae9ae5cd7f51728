// A scenario with the key "sweep" → all of its variants, expanded and checked.
#pragma once

#include "base/error.hpp"
#include "input/scenario/edits.hpp"
#include "model/sweep.hpp"

namespace kakehashi {

// Errors: those of the scenario, of what varies, and of every value that makes the scenario or its platform wrong.
Result<Sweep> read_sweep(const std::string& file, const ScenarioEdits& edits = {});

} // namespace kakehashi
