// What a calibration found → a summary, JSON, or the platform file with it merged in.
#pragma once

#include "base/error.hpp"
#include "report/report.hpp"
#include "result/calibration.hpp"

namespace kakehashi {

void write_table(const CalibrationRecord& record, const std::string& fabric, std::ostream& out);
void write_json(const CalibrationRecord& record, const std::string& fabric, std::ostream& out);
void write_table(const TunedAdjustments& tuned, const std::string& fabric, std::ostream& out);
void write_json(const TunedAdjustments& tuned, const std::string& fabric, std::ostream& out);

// The text of a platform file with the regimes, or the adjustments, put in the place of those that it has. The text is
// a platform file without faults.
std::string merge(const std::string& platform, const std::string& fabric, const CalibrationRecord& record);
std::string merge(const std::string& platform, const std::string& fabric, const TunedAdjustments& tuned);

} // namespace kakehashi
