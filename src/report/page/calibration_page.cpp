// The result of a calibration → a page.
#include "base/text.hpp"
#include "report/draw/lanes.hpp"
#include "report/findings.hpp"
#include "report/page/page.hpp"
#include "report/page/pages.hpp"
#include "writer/number_form.hpp"
#include "writer/platform_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

// Each lane has its own scale: low and high relative to the value, from half of it to twice it.
Figure spread_figure(const CalibrationRecord& record) {
  LaneChart chart{
      "How sure each parameter is", "value without one size, over that with all", {}, {}, AxisForm::linear, true};
  for (const auto& each : record.parameters) {
    if (each.value <= 0)
      continue;
    const double low = std::clamp(each.low / each.value, 0.0, 3.0);
    const double high = std::clamp(each.high / each.value, 0.0, 3.0);
    const auto name = fmt::format("regime {}: {}", each.regime, each.name);
    const auto text = fmt::format("{} {}", four_digits(each.value), each.unit);
    chart.lanes.push_back(
        {name,
         {{low, high, Paint::series_0,
           fmt::format("{}: {} to {} {}", name, four_digits(each.low), four_digits(each.high), each.unit), true}},
         {{1, Paint::ink, DotForm::circle, fmt::format("{}: {}", name, text)}},
         text});
  }
  return figure_of("How sure each parameter is",
                   "The dot is the fitted value, 1; the bar is the range in which it lies in four of five cases, up to "
                   "three times as much.",
                   chart);
}

// Returns the fields as the platform file states them, except the sizes, which have columns of their own.
std::string fields_text(const Json& fields) {
  std::string text;
  for (const auto& [name, value] : fields.items())
    if (name != "from" && name != "to")
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                          value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

Listing regimes_table(const CalibrationRecord& record) {
  Listing table{"Regimes", {left("rule"), left("from"), left("to"), left("values")}, {}};
  table.below = "As the platform file states them.";
  for (std::size_t c = 0; c < record.regimes.size(); ++c)
    for (const auto& regime : record.regimes[c])
      table.rows.push_back({record.rules.empty() ? c : record.rules[c], to_text(regime.from),
                            regime.to ? to_text(*regime.to) : "any size", fields_text(to_json(regime))});
  return table;
}

Page page_with(const std::string& fabric, std::span<const CalibratedCurve> found, const ReportParts& parts,
               std::span<const PredictedCurve> curves) {
  double worst = 0;
  for (const auto& curve : found)
    worst = std::max(worst, curve.mean);
  Page page{"Calibration of " + fabric,
            fmt::format("{} fitted; mean errors are at most {:.1f} %.", counted(found.size(), "curve"), 100 * worst),
            {{"fabric", fabric}},
            {}};
  PageSection section{"Curves", {}};
  if (curves.size() == 1)
    section.parts.push_back(figure_of("Predicted and measured",
                                      "Simulated with what was found; below is the error of each size.",
                                      [&](double width) { return draw(chart_of(curves.front()), width); }));
  else if (!curves.empty())
    section.parts.push_back(
        curves_figure(curves, "Predicted and measured",
                      "Lines are simulated with what was found, circles measured; below each is its error."));
  add_tables(parts, section);
  page.sections.push_back(std::move(section));
  return page;
}

} // namespace

Page page_of(const CalibrationRecord& record, const std::string& fabric, std::span<const PredictedCurve> curves) {
  const auto parts = report_of(record, fabric).parts();
  auto page = page_with(fabric, record.curves, parts, curves);
  page.facts.push_back({"regimes", fmt::format("{}", record.regimes.front().size())});
  page.facts.push_back({"parameters", fmt::format("{}", record.free_parameters)});
  page.facts.push_back({"points", fmt::format("{}", record.points)});
  page.sections.push_back({"Parameters", {spread_figure(record), regimes_table(record)}});
  add_remarks(parts, page);
  return page;
}

Page page_of(const TunedAdjustments& tuned, const std::string& fabric, std::span<const PredictedCurve> curves) {
  const auto parts = report_of(tuned, fabric).parts();
  auto page = page_with(fabric, tuned.curves, parts, curves);
  add_remarks(parts, page);
  return page;
}

} // namespace kakehashi
