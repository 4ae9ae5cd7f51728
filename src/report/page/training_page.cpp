// Steps of training → pages, with the streams of each stage drawn over time.
#include "report/draw/lanes.hpp"
#include "report/findings.hpp"
#include "report/page/pages.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr int most_stages = 16; // that are drawn
constexpr std::size_t most_bars = 4000;

Paint paint_of(const StepEvent& event) {
  if (event.stream != "compute")
    return event.stream == "tensor" ? Paint::series_1 : event.stream == "pipeline" ? series_paint(3) : series_paint(4);
  return event.name.starts_with("F")   ? Paint::series_0
         : event.name.starts_with("B") ? series_paint(2)
         : event.name.starts_with("W") ? series_paint(5)
                                       : series_paint(6);
}

LaneChart timeline_of(const TrainingRecord& record) {
  LaneChart chart;
  chart.says = "What the streams of each stage do over the time of a step";
  chart.x_name = "time (ms)";
  std::size_t bars = 0;
  for (const auto& event : record.times.events) {
    if (event.stage >= most_stages || bars >= most_bars)
      continue;
    const auto name = fmt::format("stage {} {}", event.stage, event.stream);
    auto lane = std::ranges::find(chart.lanes, name, &ChartLane::name);
    if (lane == chart.lanes.end()) {
      chart.lanes.push_back({name, {}, {}, ""});
      lane = chart.lanes.end() - 1;
    }
    lane->bars.push_back(
        {1e3 * event.from.value, 1e3 * event.to.value, paint_of(event),
         fmt::format("{}: {:.2f} to {:.2f} ms", event.name, 1e3 * event.from.value, 1e3 * event.to.value), false});
    ++bars;
  }
  std::ranges::sort(chart.lanes, [](const ChartLane& one, const ChartLane& other) {
    const auto number = [](const ChartLane& lane) { return std::stoi(lane.name.substr(6)); };
    return std::pair(number(one), one.name) < std::pair(number(other), other.name);
  });
  chart.keys = {{"forward", Paint::series_0},   {"backward", series_paint(2)},
                {"optimiser", series_paint(6)}, {"tensor parallel calls", Paint::series_1},
                {"sends", series_paint(3)},     {"data parallel calls", series_paint(4)}};
  return chart;
}

LaneChart parts_chart(const TrainingRecord& record) {
  LaneChart chart;
  chart.says = "Where the time of the step goes";
  chart.x_name = "time (ms)";
  for (std::size_t i = 0; i < step_part_count; ++i)
    if (const double time = 1e3 * record.times.parts[i].value; time > 1e-6)
      chart.lanes.push_back({std::string(step_part_titles[i]),
                             {{0, time, series_paint(i), fmt::format("{:.2f} ms", time), false}},
                             {},
                             fmt::format("{:.1f} %", 100 * record.times.parts[i] / record.times.step)});
  return chart;
}

Page page_with(const TrainingRecord& record, const ReportParts& parts) {
  Page page{record.scenario, std::get<Note>(parts.front()).text + ".", {}, {}};
  page.facts = {{"platform", record.platform},
                {"GPUs", std::to_string(record.gpus)},
                {"layout", layout_text(record.work)},
                {"step", fmt::format("{:.1f} ms", 1e3 * record.times.step.value)},
                {"tokens a second", fmt::format("{:.0f}", record.tokens_per_second())},
                {"model FLOP utilisation", fmt::format("{:.1f} %", 100 * record.utilisation())}};
  PageSection section{"Where the time goes", {figure_of("Parts of the step", "", parts_chart(record))}};
  if (!record.times.events.empty()) {
    const auto chart = timeline_of(record);
    section.parts.push_back(figure_of("Streams of the stages",
                                      "The first replica, whose other GPUs do the same. Calls between layers are drawn "
                                      "at the end of their micro-batch.",
                                      chart));
  }
  page.sections.push_back(std::move(section));
  add_tables(parts, page.sections.back());
  add_remarks(parts, page);
  return page;
}

} // namespace

Page page_of(const TrainingRecord& record) {
  return page_with(record, report_of(record).parts());
}

Page page_of(const TrainingExplanation& all) {
  return page_with(all.record, report_of(all).parts());
}

Page page_of(const TrainingSweep& sweep) {
  constexpr std::size_t most = 100;
  const auto parts = report_of(sweep, most).parts();
  Page page{sweep.base.scenario, std::get<Note>(parts.front()).text + ".", {{"platform", sweep.base.platform}}, {}};
  PageSection section{"Layouts", {}};
  add_parts(parts, section);
  page.sections.push_back(std::move(section));
  return page;
}

} // namespace kakehashi
