// Why a message or a run takes its time → a page.
#include "report/draw/lanes.hpp"

#include "report/findings.hpp"
#include "report/page/machine_drawing.hpp"
#include "report/page/page.hpp"
#include "report/page/pages.hpp"
#include "writer/number_form.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

Figure waterfall_figure(const MessageExplanation& all) {
  LaneChart chart{"The steps of the message, one after the other", "time (us)", {}, {}, AxisForm::linear, true};
  for (const auto& step : all.waterfall) {
    const double start = in_microseconds(step.start);
    const double end = in_microseconds(step.end);
    const double share = percent(step.end - step.start, all.total);
    const bool is_longest = step.what == all.bottleneck;
    chart.lanes.push_back(
        {step.what,
         {{start, end, is_longest ? Paint::series_1 : Paint::series_0,
           fmt::format("{}: {:.3f} us from {:.3f} us on, {:.1f} %", step.what, end - start, start, share), false}},
         {},
         fmt::format("{:.3f} us", end - start)});
  }
  return figure_of("Waterfall",
                   fmt::format("{:.3f} us in all; the longest step has another colour.", in_microseconds(all.total)),
                   chart);
}

// The links of the route count as used.
void add_effects(std::span<const Effect> effects, Page& page) {
  if (!effects.empty())
    page.sections.push_back({"What would help", {effects_figure(effects), all_effects(effects)}});
}

} // namespace

Page page_of(const MessageExplanation& all, const Machine& machine) {
  Page page{fmt::format("{} from {} to {}", to_text(all.size), all.from, all.to),
            fmt::format("{:.3f} us in all. Bottleneck: {}.", in_microseconds(all.total), all.bottleneck),
            {},
            {}};
  page.facts = {{"platform", all.platform}, {"fabric", all.fabric}, {"platform file", name_of_file(all.platform_file)}};
  if (all.piece < all.size)
    page.facts.push_back({"in pieces of", to_text(all.piece)});
  page.sections.push_back({"Where the time goes", {waterfall_figure(all)}});
  PageSection way{"Its way", {machine_figure(machine, "The route, and how busy the message keeps each link")}};
  const auto parts = report_of(all).parts();
  add_tables(parts, way);
  page.sections.push_back(std::move(way));
  add_effects(all.effects, page);
  add_remarks(parts, page);
  return page;
}

Page page_of(const RunExplanation& all, const Machine& machine) {
  Page page{all.scenario,
            fmt::format("Most of the {}: {}.",
                        all.sizes > 1 ? fmt::format("critical path over all {} sizes", all.sizes)
                                      : fmt::format("{:.3f} us", in_microseconds(all.total)),
                        to_text(all.reason)),
            {{"platform", all.platform}, {"fabric", all.fabric}, {"messages", std::to_string(all.messages)}},
            {}};
  page.sections.push_back(
      {"The machine", {machine_figure(machine, "Use of links over the whole run"), links_table(all.links, all.unit)}});
  add_effects(all.effects, page);
  add_remarks(report_of(all, std::string::npos).parts(), page);
  return page;
}

// What a benchmark's log shows → a page.

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
