// Predicted and measured curves → charts of them.
#pragma once

#include "report/draw/chart.hpp"
#include "report/page/page.hpp"
#include "result/predicted_curve.hpp"
#include "result/summary.hpp"

#include <span>

namespace kakehashi {

std::string_view unit_of(Metric metric);           // "us", "MB/s"
std::string size_text(double size, bool is_bytes); // "64 KiB"

// Measured points over the predicted line, and errors below; with a title it is one of several small ones.
CurveChart chart_of(const PredictedCurve& curve, std::string title = "");

// Small multiples, one for each curve.
Figure curves_figure(std::span<const PredictedCurve> curves, std::string title, std::string caption);

} // namespace kakehashi
