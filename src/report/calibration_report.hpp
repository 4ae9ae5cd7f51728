// The result of a calibration, and a platform file → the file with the result merged in.
#pragma once

#include "base/error.hpp"
#include "result/calibration.hpp"
#include "result/collective_fit.hpp"

#include <string>

namespace kakehashi {

// Whether a value can be merged: it is a limit of known devices, and platforms have such a field.
bool can_be_merged(const SharedLimit& limit);

// Returns the text of a platform file in which the regimes or adjustments replace those in the file, or a rule is split
// by scope. Everything else stays as it is written. The text must be a platform file without faults; its rules are
// split before regimes are merged.
std::string merge(const std::string& platform, const RuleSplit& split);
std::string merge(const std::string& platform, const std::string& fabric, const CalibrationRecord& record);
std::string merge(const std::string& platform, const std::string& fabric, const TunedAdjustments& tuned);
std::string merge(const std::string& platform, const SharedLimit& limit);
std::string merge(const std::string& platform, const CollectiveFit& fit); // merges the fields that changed

} // namespace kakehashi
