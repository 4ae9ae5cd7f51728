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

// Draws measured points over the predicted line, and errors below. A chart with a title is one of several small ones.
CurveChart chart_of(const PredictedCurve& curve, std::string title = "");

// Draws small charts, one for each curve.
Figure curves_figure(std::span<const PredictedCurve> curves, std::string title, std::string caption);

} // namespace kakehashi
