// The result of each command → a page. The tables of a page have the numbers that --format json prints.
#pragma once

#include "report/draw/chart.hpp"
#include "report/page/page.hpp"
#include "result/calibration.hpp"
#include "result/comparison.hpp"
#include "result/explanation.hpp"
#include "result/gpu_explanation.hpp"
#include "result/gpu_tuning.hpp"
#include "result/log_explanation.hpp"
#include "result/machine.hpp"
#include "result/predicted_curve.hpp"
#include "result/record.hpp"
#include "result/sweep_record.hpp"
#include "result/training_step.hpp"
#include "result/tuning.hpp"
#include "result/validation.hpp"

#include <ostream>
#include <span>

namespace kakehashi {

// The main chart of a page; none: there are no sizes to draw it over.
std::optional<CurveChart> chart_of(const RunRecord& record);
std::optional<CurveChart> chart_of(const Comparison& comparison);

// `machine` has the loads of its links. Traffic may be missing.
Page page_of(const RunRecord& record, const Machine& machine);

// `machines` are those of the contenders' platforms, each once.
Page page_of(const Comparison& comparison, std::span<const Machine> machines);

// The machine with the best order of ranks, and with the scenario's, with the loads of links in each.
struct SweepMachines {
  std::optional<Machine> best;
  std::optional<Machine> usual;
};
Page page_of(const SweepRecord& record, const SweepMachines& machines);

// `curves` are those of the rows with a curve.
Page page_of(const Validation& validation, std::span<const PredictedCurve> curves);

// `machine` is the one on which the message goes alone.
Page page_of(const MessageExplanation& explanation, const Machine& machine);
Page page_of(const RunExplanation& explanation, const Machine& machine);

// `curves` are predicted with the result of the fit.
Page page_of(const CalibrationRecord& record, const std::string& fabric, std::span<const PredictedCurve> curves);
Page page_of(const TunedAdjustments& tuned, const std::string& fabric, std::span<const PredictedCurve> curves);

Page page_of(const Tuning& tuning);
Page page_of(const GpuTuning& tuning);

Page page_of(const GpuExplanation& explanation);
Page page_of(const GpuLogExplanation& explanation);

Page page_of(const TrainingRecord& record);
Page page_of(const TrainingExplanation& explanation);
Page page_of(const TrainingSweep& sweep);

// `measured` are the curves of the logs.
Page page_of(const LogExplanation& explanation, std::span<const Curve> measured);

// A page → one self-contained HTML file, with style, script and pictures in it. It is also well-formed XML.
void write_page(const Page& page, std::ostream& out);

} // namespace kakehashi
