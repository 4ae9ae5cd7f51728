// Each kind of finding → its report.
#pragma once

#include "report/report.hpp"

#include <span>

namespace kakehashi {

struct CalibrationRecord;
struct Choices;
struct CollectiveFit;
struct Comparison;
struct Effect;
struct GpuExplanation;
struct GpuLogExplanation;
struct GpuTuning;
struct LogExplanation;
struct MessageExplanation;
struct PlatformInventory;
struct RecordingComparison;
struct RunExplanation;
struct RunRecord;
struct Sensitivity;
struct SharedLimit;
struct SweepRecord;
struct TrainingExplanation;
struct TrainingRecord;
struct TrainingSweep;
struct TunedAdjustments;
struct Tuning;
struct Validation;

Report report_of(const Choices& choices);
Report report_of(const PlatformInventory& inventory);
Report report_of(const Sensitivity& sensitivity);
Report report_of(const Validation& validation);
Report report_of(const Comparison& comparison);
Report report_of(const RecordingComparison& comparison);
Report report_of(const SweepRecord& record, std::size_t shown); // people see this many of the best
Report report_of(const Tuning& tuning);
Report report_of(const CalibrationRecord& record, const std::string& fabric);
Report report_of(const TunedAdjustments& tuned, const std::string& fabric);
Report report_of(const std::vector<SharedLimit>& limits);
Report report_of(const CollectiveFit& fit);
Report report_of(const MessageExplanation& explanation);
Report report_of(const RunExplanation& explanation, std::size_t idle); // people see so many that never mattered
Report report_of(const LogExplanation& explanation);
Report report_of(const GpuExplanation& explanation);
Report report_of(const GpuLogExplanation& explanation);
Report report_of(const GpuTuning& tuning);
Report report_of(const RunRecord& record);
Report report_of(const TrainingRecord& record);
Report report_of(const TrainingExplanation& explanation);
Report report_of(const TrainingSweep& sweep, std::size_t shown);

// Tables for pages, of what text shows in parts or in other words.
Listing all_effects(std::span<const Effect> effects);

} // namespace kakehashi
