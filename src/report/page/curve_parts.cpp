#include "report/page/curve_parts.hpp"

#include "base/text.hpp"
#include "writer/number_form.hpp"

#include <fmt/format.h>

namespace kakehashi {

std::string_view unit_of(Metric metric) {
  return metric == Metric::time ? "us" : "MB/s";
}

std::string size_text(double size, bool is_bytes) {
  return is_bytes ? to_text(Bytes{static_cast<std::uint64_t>(size)}) : fmt::format("{:g}", size);
}

CurveChart chart_of(const PredictedCurve& curve, std::string title) {
  const auto unit = unit_of(curve.metric);
  CurveChart chart;
  chart.says = fmt::format("Curve of {} over the message size: predicted and measured", curve.name);
  chart.x_name = "message size (B)";
  chart.y_name = curve.metric == Metric::time ? "time (us)" : "bandwidth (MB/s)";
  chart.title = std::move(title);
  Curves predicted{"predicted", {}, Paint::series_0, true, std::nullopt};
  Curves measured{"measured", {}, Paint::series_1, false, DotForm::ring};
  for (const auto& point : curve.points) {
    const auto x = static_cast<double>(point.size);
    const auto size = size_text(x, true);
    predicted.points.push_back(
        {x, point.predicted, fmt::format("{}: predicted {} {}", size, four_digits(point.predicted), unit)});
    if (point.measured)
      measured.points.push_back({x, *point.measured,
                                 fmt::format("{}: measured {} {}, predicted {} {}{}", size,
                                             four_digits(*point.measured), unit, four_digits(point.predicted), unit,
                                             point.error ? ", error " + signed_percent(*point.error) : "")});
    if (point.error)
      chart.errors.push_back({x, 100 * *point.error, fmt::format("{}: error {}", size, signed_percent(*point.error))});
  }
  chart.curves = {std::move(predicted)};
  if (!measured.points.empty())
    chart.curves.push_back(std::move(measured));
  return chart;
}

Figure curves_figure(std::span<const PredictedCurve> curves, std::string title, std::string caption) {
  std::vector<CurveChart> charts;
  for (const auto& curve : curves)
    charts.push_back(chart_of(curve, fmt::format("{} ({})", curve.name, unit_of(curve.metric))));
  const auto says = fmt::format("{}: {} small charts of predicted lines and measured points", title, charts.size());
  return figure_of(std::move(title), std::move(caption), [&](double width) { return draw(charts, says, width); });
}

} // namespace kakehashi
