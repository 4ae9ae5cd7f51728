// A measured table as CSV (bytes and latency_us, t_avg_us or mbytes_per_s) → a Curve, or all of its faults.
#pragma once

#include "base/error.hpp"
#include "model/curve.hpp"

namespace kakehashi {

// Returns the file's name without its folder and without a usual ending of tables and logs. Any other text after a dot
// stays, since it may be all that distinguishes two files, such as a job's number.
std::string curve_name(const std::string& file);

// Reads the column of the wanted metric: mbytes_per_s; or latency_us or t_avg_us.
Result<Curve> read_curve(const std::string& file, Metric metric);
Result<Curve> parse_curve(const std::string& text, const std::string& file, Metric metric);

} // namespace kakehashi
