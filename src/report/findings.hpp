// Each kind of finding → its report.
#pragma once

#include "report/report.hpp"

namespace kakehashi {

struct Choices;
struct Comparison;
struct PlatformInventory;
struct RecordingComparison;
struct Sensitivity;
struct Validation;

Report report_of(const Choices& choices);
Report report_of(const PlatformInventory& inventory);
Report report_of(const Sensitivity& sensitivity);
Report report_of(const Validation& validation);
Report report_of(const Comparison& comparison);
Report report_of(const RecordingComparison& comparison);

} // namespace kakehashi
