// Why calls of NCCL or RCCL take their time, or what their log shows → a page.
#include "base/text.hpp"
#include "report/findings.hpp"
#include "report/page/pages.hpp"

#include <fmt/format.h>

namespace kakehashi {
namespace {

ChartPoint time_point(Bytes size, Seconds time) {
  return {static_cast<double>(size.count), in_microseconds(time),
          fmt::format("{}: {} us", to_text(size), four_digits(in_microseconds(time)))};
}

CurveChart time_chart(std::string says) {
  CurveChart chart;
  chart.says = std::move(says);
  chart.x_name = "size (B)";
  chart.y_name = "time (us)";
  return chart;
}

// What each algorithm would reach with the protocol that suits it best, below what the links would carry.
std::optional<Figure> algorithms_figure(const GpuExplanation& all) {
  CurveChart chart;
  chart.says = "Bus bandwidth of each algorithm over the size";
  chart.x_name = "size (B)";
  chart.y_name = "bus bandwidth (GB/s)";
  const double factor = bus_factor(all.operation, static_cast<double>(all.ranks));
  for (std::size_t i = 0; i < gpu_algorithm_count; ++i) {
    const auto algorithm = static_cast<GpuAlgorithm>(i);
    Curves curve{std::string(name_of(gpu_algorithm_names, algorithm)), {}, series_paint(chart.curves.size()), true, {}};
    for (const auto& call : all.calls) {
      const GpuCandidate* best = nullptr;
      for (const auto& each : call.candidates)
        if (each.algorithm == algorithm && each.time && (!best || *each.time < *best->time))
          best = &each;
      if (!best || call.size.count == 0)
        continue;
      const auto size = static_cast<double>(call.size.count);
      const double rate = factor * size / best->time->value / 1e9;
      curve.points.push_back({size, rate,
                              fmt::format("{}: {} GB/s by {} and {}", to_text(call.size), four_digits(rate), curve.name,
                                          name_of(gpu_protocol_names, best->protocol))});
    }
    if (!curve.points.empty())
      chart.curves.push_back(std::move(curve));
  }
  if (chart.curves.empty() || all.calls.size() < 2)
    return std::nullopt;
  Curves links{"links", {}, Paint::muted, true, {}};
  const double most = all.link_limit.value / 1e9;
  for (const auto* call : {&all.calls.front(), &all.calls.back()})
    if (call->size.count > 0)
      links.points.push_back(
          {static_cast<double>(call->size.count), most, fmt::format("links: {} GB/s", four_digits(most))});
  chart.curves.push_back(std::move(links));
  return figure_of(
      "Bus bandwidth of each algorithm",
      "Each with the protocol that suits it best. The line above is a ring whose data had all of the links' rate.",
      chart);
}

} // namespace

Page page_of(const GpuExplanation& all) {
  Page page{
      all.scenario, fmt::format("{} on {} of {}.", all.library, counted(all.ranks, "rank"), all.platform), {}, {}};
  page.facts = {{"platform", all.platform}, {"library", all.library}, {"channels", std::to_string(all.channels)}};
  auto chart = time_chart("Time of a call over its size");
  Curves curve{"expected", {}, Paint::series_0, true, {}};
  for (const auto& each : all.calls)
    curve.points.push_back(time_point(each.size, each.time.time));
  chart.curves = {std::move(curve)};
  page.sections.push_back({"Where the time goes", {figure_of("Time of a call", "", chart)}});
  if (auto figure = algorithms_figure(all))
    page.sections.back().parts.push_back(std::move(*figure));
  const auto parts = report_of(all).parts();
  add_tables(parts, page.sections.back());
  add_remarks(parts, page);
  return page;
}

Page page_of(const GpuTuning& all) {
  Page page{"Algorithms of " + all.library,
            fmt::format("What to take on {} of {}.", counted(all.ranks, "rank"), all.platform),
            {{"platform", all.platform}, {"library", all.library}},
            {}};
  PageSection section{"Choices", {}};
  add_parts(report_of(all).parts(), section);
  page.sections.push_back(std::move(section));
  return page;
}

Page page_of(const GpuLogExplanation& all) {
  Page page{all.tables.front().name,
            all.is_explained ? fmt::format("One fault would explain it: {}.", all.faults.front().what)
                             : fmt::format("{} on {}.", all.library, all.platform),
            {{"platform", all.platform}, {"library", all.library}},
            {}};
  PageSection section{"Measured and expected", {}};
  for (const auto& table : all.tables) {
    auto chart = time_chart("Measured and expected times of " + table.name);
    Curves measured{"measured", {}, Paint::series_1, false, DotForm::ring},
        expected{"expected", {}, Paint::series_0, true, {}};
    for (const auto& row : table.rows) {
      measured.points.push_back(time_point(row.size, row.measured));
      expected.points.push_back(time_point(row.size, row.expected.time));
    }
    chart.curves = {std::move(expected), std::move(measured)};
    section.parts.push_back(figure_of(table.name, "", chart));
  }
  page.sections.push_back(std::move(section));
  const auto parts = report_of(all).parts();
  add_tables(parts, page.sections.back());
  add_remarks(parts, page);
  return page;
}

} // namespace kakehashi
