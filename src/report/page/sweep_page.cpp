// The result of a sweep → a page.
#include "base/text.hpp"
#include "report/draw/histogram.hpp"
#include "report/number_form.hpp"
#include "report/page/curve_parts.hpp"
#include "report/page/machine_drawing.hpp"
#include "report/page/pages.hpp"
#include "report/page/time_parts.hpp"
#include "report/sweep_report.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::size_t most_candidates = 1000;

// Returns the objective in the unit of the axis.
double objective_of(const SweepRecord& record, const SweepPoint& point) {
  return record.objective == Objective::time ? in_microseconds(point.outcome.time) : point.outcome.rate;
}

std::string unit_of(const SweepRecord& record) {
  return record.objective == Objective::time ? "us" : record.rate_name;
}

Figure distribution_figure(const SweepRecord& record) {
  const auto points = that_ran(record);
  Histogram histogram{"How many candidates reach which value", "", "candidates", {}, {}};
  histogram.x_name = record.objective == Objective::time ? "time (us)" : record.rate_name;
  for (const auto& point : points)
    histogram.values.push_back(objective_of(record, point));
  const auto name = [&](const char* what, const SweepPoint& point, Paint paint) {
    const double value = objective_of(record, point);
    histogram.named.push_back(
        {value, what, fmt::format("{}: {} {}", what, four_digits(value), unit_of(record)), paint});
  };
  name("best", points.front(), Paint::good);
  if (const auto* usual = default_of(record))
    name("default", *usual, Paint::series_1);
  name("worst", points.back(), Paint::bad);
  return figure_of("Distribution", fmt::format("Of the {} that were run.", counted(points.size(), "candidate")),
                   histogram);
}

PageCell gain_cell(const SweepRecord& record, const SweepPoint& point) {
  if (const auto better = gain(record, point))
    return {signed_percent(*better), rounded(*better)};
  return empty_cell;
}

PageTable points_table(const SweepRecord& record) {
  const auto count = std::min(most_candidates, record.points.size());
  PageTable table{
      "Candidates",
      count < record.points.size() ? fmt::format("The best {} of {}; JSON has all.", count, record.points.size()) : "",
      {"place", "gain", "time_us"},
      {}};
  if (!record.rate_name.empty())
    table.columns.push_back("rate");
  table.columns.push_back("default");
  table.columns.insert(table.columns.end(), record.fields.begin(), record.fields.end());
  table.columns.insert(table.columns.end(), {"ranks", "slowest_step", "reason"});
  for (std::size_t i = 0; i < count; ++i) {
    const auto& point = record.points[i];
    const bool has_run = point.outcome.failure.empty();
    std::vector<PageCell> row{i + 1, has_run ? gain_cell(record, point) : empty_cell};
    row.push_back(has_run ? number_cell(in_microseconds(point.outcome.time), 2) : empty_cell);
    if (!record.rate_name.empty())
      row.push_back(has_run ? number_cell(point.outcome.rate, 2) : empty_cell);
    row.push_back(point.is_default ? "yes" : "");
    for (const auto& value : record.values[point.variant])
      row.push_back(value);
    row.push_back(placement_text(record, point));
    row.push_back(point.outcome.step);
    row.push_back(has_run ? point.outcome.reason : point.outcome.failure);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string summary_of(const SweepRecord& record) {
  const auto points = that_ran(record);
  if (points.empty())
    return "None of the candidates was run.";
  auto text = fmt::format("The best of {} reaches {} {}", counted(points.size(), "candidate"),
                          four_digits(objective_of(record, points.front())), unit_of(record));
  if (const auto better = gain(record, points.front()))
    text += fmt::format(", {} against the default's {}", signed_percent(*better),
                        four_digits(objective_of(record, *default_of(record))));
  if (record.gap && *record.gap == 0 && record.failed == 0)
    text += "; it is the optimum";
  return text + ".";
}

void add_order(const std::optional<Machine>& machine, const std::string& title, PageSection& section) {
  if (!machine)
    return;
  section.parts.push_back(machine_figure(*machine, title));
  auto links = channel_table(machine->uses);
  links.title += ": " + title;
  links.note += " A benchmark takes each size once here.";
  section.parts.push_back(std::move(links));
}

} // namespace

Page page_of(const SweepRecord& record, const SweepMachines& machines) {
  Page page{record.scenario, summary_of(record), {}, {}};
  page.facts = {{"platform", record.platform->name},
                {"fabric", record.fabric},
                {"sought", record.objective == Objective::time ? "least time" : "highest rate"},
                {"method", record.method == SweepMethod::exhaustive ? "exhaustive" : "search"},
                {"candidates", fmt::format("{:.6g}", record.candidates)},
                {"engine", record.engine},
                {"scenario file", record.scenario_file}};
  if (!that_ran(record).empty())
    page.sections.push_back({"Result", {distribution_figure(record)}});
  page.sections.push_back({"Candidates", {points_table(record)}});
  PageSection orders{"Where the ranks are", {}};
  add_order(machines.best, "The best candidate", orders);
  add_order(machines.usual, "The default", orders);
  if (!orders.parts.empty())
    page.sections.push_back(std::move(orders));
  return page;
}

} // namespace kakehashi
