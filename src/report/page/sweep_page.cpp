// The result of a sweep → a page.
#include "base/text.hpp"
#include "report/draw/chart.hpp"
#include "report/findings.hpp"
#include "report/page/machine_drawing.hpp"
#include "report/page/page.hpp"
#include "report/page/pages.hpp"
#include "report/report_parts.hpp"
#include "writer/number_form.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {
namespace {

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
  histogram.x_name = record.objective != Objective::time ? record.rate_name
                     : record.sizes > 1                  ? fmt::format("time (us), of all {} sizes", record.sizes)
                                                         : "time (us)";
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

std::string summary_of(const SweepRecord& record) {
  const auto points = that_ran(record);
  if (points.empty())
    return "None of the candidates was run.";
  const bool is_sum = record.sizes > 1 && record.objective == Objective::time;
  const auto value_of = [&](const SweepPoint& point) {
    return fmt::format("{} {}", four_digits(objective_of(record, point)), unit_of(record));
  };
  auto text = fmt::format("The best of {}", counted(points.size(), "candidate"));
  if (!is_sum)
    text += " reaches " + value_of(points.front());
  if (const auto better = gain(record, points.front()))
    text += is_sum
                ? fmt::format(" gains {} over the default, over all {} sizes", signed_percent(*better), record.sizes)
                : fmt::format(", {} against the default's {}", signed_percent(*better), value_of(*default_of(record)));
  if (record.gap && *record.gap == 0 && record.failed == 0)
    text += "; it is the optimum";
  return text + ".";
}

void add_order(const std::optional<Machine>& machine, const std::string& title, PageSection& section) {
  if (!machine)
    return;
  section.parts.push_back(machine_figure(*machine, title));
  section.parts.push_back(links_table(machine->uses, machine->unit, ": " + title));
  std::get<Listing>(section.parts.back()).below += " A benchmark takes each size once here.";
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
                {"scenario file", name_of_file(record.scenario_file)}};
  const auto parts = report_of(record, 0).parts();
  if (!that_ran(record).empty())
    page.sections.push_back({"Result", {distribution_figure(record), first_listing(parts)}});
  page.sections.push_back({"Candidates", {table_of("Candidates", report_of(record, 0).sheet())}});
  PageSection orders{"Where the ranks are", {}};
  add_order(machines.best, "The best candidate", orders);
  add_order(machines.usual, "The default", orders);
  if (!orders.parts.empty())
    page.sections.push_back(std::move(orders));
  add_remarks(parts, page);
  return page;
}

} // namespace kakehashi
