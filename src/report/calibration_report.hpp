// The result of a calibration → the platform file with it merged in.
#pragma once

#include "base/error.hpp"
#include "result/calibration.hpp"
#include "result/collective_fit.hpp"

#include <string>

namespace kakehashi {

// Whether a value can be merged: it is a limit of known devices, and platforms have such a field.
bool can_be_merged(const SharedLimit& limit);

// The text of a platform file with the regimes, or the adjustments, put in the place of those that it has, or with a
// rule for each scope. All else stays as it is written. The text is a platform file without faults; its rules are split
// before regimes are put into them.
std::string merge(const std::string& platform, const RuleSplit& split);
std::string merge(const std::string& platform, const std::string& fabric, const CalibrationRecord& record);
std::string merge(const std::string& platform, const std::string& fabric, const TunedAdjustments& tuned);
std::string merge(const std::string& platform, const SharedLimit& limit);
std::string merge(const std::string& platform, const CollectiveFit& fit); // the fields that moved

} // namespace kakehashi
