// A log or a CSV file that a scenario names as its reference → the curve of the scenario's benchmark.
#pragma once

#include "base/error.hpp"
#include "model/benchmark.hpp"
#include "model/curve.hpp"

namespace kakehashi {

// Files that end in .csv are tables; any other is a log, of which the table of that benchmark counts whose processes
// are as many as the ranks, or are not stated. Bandwidths come in the benchmark's MB. Errors: those of the file; no
// such table, or several.
Result<Curve> read_reference(const std::string& file, const Benchmark& benchmark, std::optional<std::size_t> ranks);

} // namespace kakehashi
