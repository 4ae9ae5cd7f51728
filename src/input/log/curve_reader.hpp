// A measured table as CSV (bytes and latency_us, t_avg_us or mbytes_per_s) → Curve, or all of its faults.
#pragma once

#include "base/error.hpp"
#include "model/curve.hpp"

namespace kakehashi {

// The file's name without folder, and without an ending that tables and logs usually have: what else is behind a dot
// may be all that tells two apart, such as a job's number.
std::string curve_name(const std::string& file);

// Takes the column of the wanted metric: mbytes_per_s, or latency_us or t_avg_us.
Result<Curve> read_curve(const std::string& file, Metric metric);
Result<Curve> parse_curve(const std::string& text, const std::string& file, Metric metric);

} // namespace kakehashi
