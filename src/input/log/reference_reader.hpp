// A log or a CSV file that a scenario names as its reference → the curve of the scenario's benchmark.
#pragma once

#include "base/error.hpp"
#include "model/benchmark.hpp"
#include "model/curve.hpp"

namespace kakehashi {

// A file that ends in .csv is a table. Any other file is a log; in it, the table of the benchmark counts that has as
// many processes as there are ranks, or does not state them. Bandwidths are in the benchmark's MB. Errors: those of the
// file; there is no such table, or more than one.
Result<Curve> read_reference(const std::string& file, const Benchmark& benchmark, std::optional<std::size_t> ranks);

} // namespace kakehashi
