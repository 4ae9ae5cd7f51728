// What a calibration found → a summary, JSON, or the platform file with it merged in.
#pragma once

#include "base/error.hpp"
#include "report/report.hpp"
#include "result/calibration.hpp"

#include <span>

namespace kakehashi {

void write(const CalibrationRecord& record, const std::string& fabric, Format format,
           std::ostream& out); // table or json
void write_curves(std::span<const CalibratedCurve> curves, std::ostream& out);

// The text of a platform file with the regimes, or the adjustments, put in the place of those that it has. The text is
// a platform file without faults.
std::string merge_regimes(const std::string& platform, const std::string& fabric, const CalibrationRecord& record);
std::string merge_adjustments(const std::string& platform, const std::string& fabric,
                              std::span<const std::size_t> indices, std::span<const Adjustment> adjustments);

} // namespace kakehashi
