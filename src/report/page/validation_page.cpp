// The score → a page.
#include "base/text.hpp"
#include "report/draw/lanes.hpp"
#include "report/findings.hpp"
#include "report/page/page.hpp"
#include "report/page/pages.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_together = 15; // curves in a figure, as many as fit on a sheet of paper

bool is_curve(const ValidationRow& row) {
  return row.points > 0;
}

Paint paint_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::pass: return Paint::good;
  case Verdict::fail: return Paint::bad;
  case Verdict::miss: return Paint::series_1;
  default: return Paint::muted;
  }
}

// Draws mean errors, with their targets as diamonds.
Figure errors_figure(const Validation& all) {
  LaneChart chart{"Mean error of each curve", "mean error (%)", {}, {}, AxisForm::linear, true};
  for (const auto& row : all.rows)
    if (is_curve(row)) {
      const auto text = fmt::format("{:.1f} %", 100 * row.mean);
      ChartLane lane{
          row.name,
          {{0, 100 * row.mean, paint_of(row.verdict),
            fmt::format("{}, {}: mean error {}, {}", row.name, row.kind, text, name_of(verdict_names, row.verdict)),
            false}},
          {},
          text};
      if (row.target)
        lane.dots.push_back({100 * *row.target, Paint::ink, DotForm::diamond,
                             fmt::format("{}: target {:.1f} %", row.name, 100 * *row.target)});
      chart.lanes.push_back(std::move(lane));
    }
  std::string caption = "Diamonds are targets.";
  for (const auto& row : all.rows) // large errors must not hide the difference between an error and its target
    if (is_curve(row) && row.target)
      chart.limit = std::max(chart.limit.value_or(0), 200 * *row.target);
  if (chart.limit && std::ranges::any_of(all.rows, [&](const ValidationRow& row) {
        return is_curve(row) && 100 * row.mean > *chart.limit;
      }))
    caption += " Bars with a gap are longer than there is room.";
  return figure_of("Errors of the curves", caption, chart);
}

// Each claim has its own scale: its interval is the middle half of the lane.
ChartLane claim_lane(const ValidationRow& row) {
  const auto bounds = std::isinf(row.high) ? fmt::format("from {} on", four_digits(row.low))
                                           : fmt::format("{} to {}", four_digits(row.low), four_digits(row.high));
  ChartLane lane{
      row.name,
      {{25, std::isinf(row.high) ? 100.0 : 75.0, Paint::grid, fmt::format("{}: passes {}", row.name, bounds), true}},
      {},
      ""};
  if (!row.value) {
    lane.note = row.reason.empty() ? "pending" : row.reason;
    return lane;
  }
  const double unit = std::isinf(row.high) ? std::max(std::abs(row.low), 1e-9) : std::max(row.high - row.low, 1e-12);
  const double at = std::clamp(25 + 50 * (*row.value - row.low) / unit, 0.0, 100.0);
  lane.dots.push_back({at, paint_of(row.verdict), row.verdict == Verdict::pass ? DotForm::circle : DotForm::diamond,
                       fmt::format("{}: {}, passes {}", row.name, four_digits(*row.value), bounds)});
  lane.note = fmt::format("{} in {}", four_digits(*row.value), bounds);
  return lane;
}

Figure claims_figure(const Validation& all, const std::string& platform) {
  LaneChart chart{
      "Claims about " + platform + ": the interval that passes, and the value", "", {}, {}, AxisForm::linear, false};
  for (const auto& row : all.rows)
    if (row.platform == platform && !is_curve(row))
      chart.lanes.push_back(claim_lane(row));
  return figure_of("Claims about " + platform,
                   "Each lane has a scale of its own; the bar is what passes, the dot the simulated value.", chart);
}

} // namespace

Page page_of(const Validation& all, std::span<const PredictedCurve> curves) {
  Page page{"Score",
            fmt::format("{} pass, {} fail, {} are known to be missed, {} pending, {} without a target.",
                        all.count(Verdict::pass), all.count(Verdict::fail), all.count(Verdict::miss),
                        all.count(Verdict::pending), all.count(Verdict::shown)),
            {},
            {}};
  if (std::ranges::any_of(all.rows, is_curve)) {
    PageSection section{"Curves", {}};
    for (std::size_t first = 0, next = 0; first < curves.size(); first = next) {
      const auto& platform = curves[first].platform;
      while (next < curves.size() && next < first + most_together && curves[next].platform == platform)
        ++next;
      section.parts.push_back(
          curves_figure(curves.subspan(first, next - first), "Predicted and measured on " + platform,
                        "Lines are predicted, circles measured; below each is its error, size by size."));
    }
    section.parts.push_back(errors_figure(all));
    page.sections.push_back(std::move(section));
  }
  PageSection claims{"Claims", {}};
  std::vector<std::string> platforms;
  for (const auto& row : all.rows)
    if (!is_curve(row) && std::ranges::find(platforms, row.platform) == platforms.end())
      platforms.push_back(row.platform);
  for (const auto& platform : platforms)
    claims.parts.push_back(claims_figure(all, platform));
  if (!claims.parts.empty())
    page.sections.push_back(std::move(claims));
  page.sections.push_back({"Table", {table_of("Score", report_of(all).sheet())}});
  add_remarks(report_of(all).parts(), page);
  return page;
}

} // namespace kakehashi
