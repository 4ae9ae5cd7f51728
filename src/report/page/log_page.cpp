// What a benchmark's log shows → a page.
#include "report/findings.hpp"
#include "report/page/curve_parts.hpp"
#include "report/page/pages.hpp"
#include "writer/number_form.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Draws a measured curve, with marks where protocols change.
CurveChart chart_of(const Curve& curve, const LogExplanation& all) {
  const auto unit = unit_of(curve.metric);
  CurveChart chart;
  chart.says = fmt::format("Measured curve of {} over the message size", curve.name);
  chart.x_name = "message size (B)";
  chart.y_name = curve.metric == Metric::time ? "time (us)" : "bandwidth (MB/s)";
  Curves measured{"measured", {}, Paint::series_1, true, DotForm::ring};
  for (const auto& point : curve.points)
    measured.points.push_back({static_cast<double>(point.size.count), point.value,
                               fmt::format("{}: {} {}", to_text(point.size), four_digits(point.value), unit)});
  chart.curves = {std::move(measured)};
  const auto table = std::ranges::find(all.tables, curve.name, &ExplainedTable::name);
  if (table != all.tables.end())
    for (const auto& change : table->changes)
      chart.marks.push_back({static_cast<double>(change.first.count), "from " + to_text(change.first)});
  return chart;
}

std::string changes_text(const ExplainedTable& table) {
  std::string text;
  for (const auto& change : table.changes)
    text += (text.empty() ? ", protocols change at " : ", ") + to_text(change.first);
  return text;
}

std::string summary_of(const LogExplanation& all) {
  std::string text;
  for (const auto& table : all.tables)
    text += fmt::format("{}{}: {} us for {}", text.empty() ? "" : "; ", table.name,
                        four_digits(in_microseconds(table.least)), to_text(table.smallest)) +
            changes_text(table);
  return text + (all.is_explained ? fmt::format(". One fault would explain it: {}.", all.faults.front().what) : ".");
}

} // namespace

Page page_of(const LogExplanation& all, std::span<const Curve> measured) {
  Page page{all.tables.front().name, summary_of(all), {}, {}};
  if (!all.platform.empty())
    page.facts = {{"platform", all.platform}, {"fabric", all.fabric}};
  PageSection curves{"Measured", {}};
  for (const auto& curve : measured)
    curves.parts.push_back(figure_of(curve.name, "Lines are where protocols change.", chart_of(curve, all)));
  page.sections.push_back(std::move(curves));
  PageSection section{"What it shows", {}};
  add_parts(report_of(all).parts(), section);
  page.sections.push_back(std::move(section));
  return page;
}

} // namespace kakehashi
