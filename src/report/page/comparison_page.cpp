// Contenders side by side → a page.
#include "base/text.hpp"
#include "report/draw/lanes.hpp"
#include "report/findings.hpp"
#include "report/page/machine_drawing.hpp"
#include "report/page/page.hpp"
#include "report/page/pages.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

std::string row_text(const Comparison& all, const ComparisonRow& row, std::size_t contender) {
  const auto& time = row.times[contender];
  auto text = fmt::format("{} at {}: {} us", all.contenders[contender], size_text(all, row.size),
                          four_digits(in_microseconds(time.time)));
  if (!all.rate_name.empty())
    text += fmt::format(", {} {}", four_digits(time.rate), all.rate_name);
  return text + (contender == row.winner ? ", the winner" : "");
}

CurveChart times_chart(const Comparison& all) {
  CurveChart chart;
  chart.says = "Time of each contender over the size, with the sizes at which winners change";
  const bool is_bytes = all.size_name == "bytes";
  chart.x_form = is_bytes ? AxisForm::sizes : AxisForm::logarithm;
  chart.x_name = is_bytes ? "message size (B)" : all.size_name;
  chart.y_name = "time (us)";
  for (std::size_t c = 0; c < all.contenders.size(); ++c) {
    Curves curves{marked_name(all, c), {}, series_paint(c), true, static_cast<DotForm>(c % dot_forms)};
    for (const auto& row : all.rows)
      curves.points.push_back(
          {static_cast<double>(row.size), in_microseconds(row.times[c].time), row_text(all, row, c)});
    chart.curves.push_back(std::move(curves));
  }
  chart.bands.push_back(
      {static_cast<double>(all.rows.front().size), marked_name(all, all.first), series_paint(all.first)});
  for (const auto& crossover : all.crossovers) {
    chart.marks.push_back(
        {static_cast<double>(crossover.size),
         fmt::format("from {} on {}", size_text(all, crossover.size), marked_name(all, crossover.after))});
    chart.bands.push_back(
        {static_cast<double>(crossover.size), marked_name(all, crossover.after), series_paint(crossover.after)});
  }
  return chart;
}

// Shows each time as a multiple of the fastest; the logarithmic axis above hides small differences.
CurveChart ratios_chart(const Comparison& all) {
  constexpr double most_of_linear_axis = 4;
  auto chart = times_chart(all);
  chart.says = "Time of each contender as a multiple of the fastest one's at that size";
  chart.y_name = "times the fastest";
  chart.marks.clear();
  chart.bands.clear();
  double greatest = 1;
  for (std::size_t c = 0; c < all.contenders.size(); ++c) {
    auto& points = chart.curves[c].points;
    points.clear();
    for (const auto& row : all.rows) {
      const double ratio = row.times[c].time / row.times[row.winner].time;
      if (!std::isfinite(ratio)) // the fastest takes no time
        continue;
      greatest = std::max(greatest, ratio);
      points.push_back({static_cast<double>(row.size), ratio,
                        fmt::format("{} at {}: {} times the fastest", all.contenders[c], size_text(all, row.size),
                                    four_digits(ratio))});
    }
  }
  chart.y_form = greatest <= most_of_linear_axis ? AxisForm::range : AxisForm::logarithm;
  return chart;
}

// For one row without sizes, or one size: a bar for each contender.
LaneChart bars_of(const Comparison& all) {
  LaneChart chart{"Time of each contender", "time (us)", {}, {}, AxisForm::linear, true};
  const auto& row = all.rows.front();
  const auto best = as_fast(row);
  for (std::size_t c = 0; c < all.contenders.size(); ++c) {
    const double time = in_microseconds(row.times[c].time);
    const auto text = fmt::format("{} us", four_digits(time));
    chart.lanes.push_back({marked_name(all, c),
                           {{0, time, std::ranges::find(best, c) != best.end() ? Paint::good : Paint::series_0,
                             all.contenders[c] + ": " + text, false}},
                           {},
                           text});
  }
  return chart;
}

std::string summary_of(const Comparison& all) {
  auto text = fmt::format("{} wins", marked_name(all, all.first));
  if (all.crossovers.empty())
    return text + (all.rows.size() == 1 ? "." : has_ties(all) ? " or ties at every size." : " at every size.");
  text += as_fast(all.rows.front()).size() > 1 ? " or ties at the smallest sizes" : " at the smallest sizes";
  for (const auto& crossover : all.crossovers)
    text += fmt::format(", {} from {} on", marked_name(all, crossover.after), size_text(all, crossover.size));
  return text + ".";
}

} // namespace

std::optional<CurveChart> chart_of(const Comparison& all) {
  return all.rows.size() > 1 ? std::optional(times_chart(all)) : std::nullopt;
}

Page page_of(const Comparison& all, std::span<const Machine> machines) {
  Page page{all.scenario, summary_of(all), {}, {}};
  std::string names;
  for (std::size_t c = 0; c < all.contenders.size(); ++c)
    names += (names.empty() ? "" : ", ") + marked_name(all, c);
  page.facts = {{"compared", names}};
  PageSection result{"Result", {}};
  const auto says = "Times on logarithmic axes; the row below shows who wins where.";
  if (all.rows.size() > 1)
    result.parts.push_back(figure_of("Who wins where", says, times_chart(all)));
  else
    result.parts.push_back(figure_of("Who wins", "", bars_of(all)));
  if (all.rows.size() > 1 && all.contenders.size() > 1)
    result.parts.push_back(figure_of("Against the fastest", "", ratios_chart(all)));
  const auto parts = report_of(all).parts();
  add_tables(parts, result);
  page.sections.push_back(std::move(result));
  add_remarks(parts, page);
  for (const auto& machine : machines)
    page.sections.push_back({"The machine " + machine.name, {machine_figure(machine, "Ranks and links")}});
  return page;
}

} // namespace kakehashi
