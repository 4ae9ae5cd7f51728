// A run → a page.
#include "base/text.hpp"
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

bool is_shown(const Table& table, std::string_view column) {
  return std::ranges::any_of(table.text.cells,
                             [&](const TextCell& cell) { return table.columns[cell.column].name == column; });
}

// Returns a number in the unit that people read.
double printed(double value, Metric metric, const Table& table) {
  return metric == Metric::bandwidth ? table.rate_unit.of_decimal(value) : value;
}

PredictedCurve curve_of(const RunRecord& record, Metric metric) {
  PredictedCurve curve{
      record.platform, record.scenario, metric, record.reference ? record.reference->use : CurveUse::prediction, {}};
  for (std::size_t i = 0; i < record.table.figures.size(); ++i) {
    const auto& figures = record.table.figures[i];
    PredictedPoint point{figures.size, printed(value_of(figures, metric), metric, record.table), std::nullopt,
                         std::nullopt};
    if (record.reference) {
      if (const auto measured = record.measured[i].measured)
        point.measured = printed(*measured, metric, record.table);
      point.error = record.measured[i].error;
    }
    curve.points.push_back(point);
  }
  return curve;
}

// Adds curves of other runs, in which simultaneous events had other orders.
void add_spread(const Repeats& repeats, CurveChart& chart) {
  Curves least{"least", {}, series_paint(2), true, std::nullopt};
  Curves greatest{"greatest", {}, series_paint(3), true, std::nullopt};
  for (std::size_t i = 0; i < repeats.spreads.size(); ++i) {
    const double x = chart.curves.front().points[i].x;
    const double low = in_microseconds(repeats.spreads[i].least);
    const double high = in_microseconds(repeats.spreads[i].greatest);
    least.points.push_back({x, low, fmt::format("least of {} runs: {} us", repeats.runs, four_digits(low))});
    greatest.points.push_back({x, high, fmt::format("greatest of {} runs: {} us", repeats.runs, four_digits(high))});
  }
  chart.curves.insert(chart.curves.end(), {std::move(least), std::move(greatest)});
}

CurveChart size_chart(const RunRecord& record, const PredictedCurve& curve) {
  const auto& table = record.table;
  auto chart = chart_of(curve, "", table.rate_name);
  if (table.size_name != "bytes") {
    chart.x_form = AxisForm::logarithm;
    chart.x_name = table.size_name;
  }
  if (curve.metric == Metric::bandwidth)
    chart.y_name = table.rate_name;
  if (record.repeats && curve.metric == Metric::time && record.repeats->spreads.size() == curve.points.size())
    add_spread(*record.repeats, chart);
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const auto [low, high] = range_of(table.figures[i], curve.metric, record.likely[i]);
    chart.range.push_back(
        {chart.curves.front().points[i].x, printed(low, curve.metric, table), printed(high, curve.metric, table)});
  }
  return chart;
}

Figure figure_of_curve(const RunRecord& record, const PredictedCurve& curve) {
  const auto chart = size_chart(record, curve);
  return figure_of(curve.metric == Metric::time ? "Time by size" : "Rate by size",
                   fmt::format("Both axes are logarithmic. In the band are {:.0f} % of measured values, as on machines "
                               "that were kept apart.{}",
                               100 * likely_share,
                               record.reference ? " Below is the error of the prediction at each size." : ""),
                   chart);
}

// Returns "osu-latency: 1.5 us at 0 B to 1250 us at 4 MiB.", or the time of a run without sizes.
std::string summary_of(const RunRecord& record) {
  if (record.reference)
    if (const auto all = summarise(record.measured))
      return fmt::format("Mean error {:.1f} %, worst {:.1f} % at {}, over {} sizes, against {} ({}).", 100 * all->mean,
                         100 * all->worst, to_text(all->worst_size), all->points, record.reference->file,
                         name_of(curve_use_names, record.reference->use));
  const auto& figures = record.table.figures;
  if (record.table.size_name.empty() || figures.empty())
    return fmt::format("The last rank ends at {:.3f} us.", in_microseconds(record.duration));
  const auto metric = metric_of(record);
  const bool is_bytes = record.table.size_name == "bytes";
  const auto text_of = [&](const Figures& each) {
    return fmt::format("{} {} at {}{}", four_digits(printed(value_of(each, metric), metric, record.table)),
                       metric == Metric::time ? "us" : record.table.rate_name,
                       is_bytes ? "" : record.table.size_name + " ",
                       size_text(static_cast<double>(each.size), is_bytes));
  };
  return fmt::format("{}: {}{}.", record.table.title, text_of(figures.front()),
                     figures.size() > 1 ? " to " + text_of(figures.back()) : "");
}

// Returns the record as a page shows it: complete, and without the folders of files.
RunRecord shown_record(RunRecord record) {
  record.shows_range = true;
  record.scenario_file = name_of_file(record.scenario_file);
  record.platform_file = name_of_file(record.platform_file);
  if (record.reference)
    record.reference->file = name_of_file(record.reference->file);
  for (const auto& total : record.table.totals)
    if (const auto* file = std::get_if<std::string>(&total.value); file && total.column.name == "trace")
      if (const auto at = record.table.title.find(*file); at != std::string::npos)
        record.table.title.replace(at, file->size(), name_of_file(*file));
  return record;
}

PageSection calls_section(const CallProfile& profile) {
  PageSection section{"MPI calls", {}};
  ReportParts brief, whole;
  add_calls(profile, true, brief);
  add_calls(profile, false, whole);
  add_parts(brief, section);
  add_tables(whole, section);
  return section;
}

PageSection sources_section(const RunRecord& record) {
  Listing table{"Parameters that were used", {left("place"), left("kind"), left("from")}, {}};
  for (const auto& [place, source] : record.sources)
    table.rows.push_back({place, name_of(source_kind_names, source.kind), source.from});
  return {"Where the parameters come from", {std::move(table)}};
}

// Bus bandwidths of a benchmark of GPUs, below what the links would carry.
std::optional<Figure> bus_figure(const Table& table) {
  const auto column = std::ranges::find(table.columns, "busbw", &Column::name);
  const auto limit =
      std::ranges::find_if(table.totals, [](const Total& total) { return total.column.name == "link_busbw"; });
  if (column == table.columns.end() || limit == table.totals.end() || table.rows.size() < 2)
    return std::nullopt;
  const double most = std::get<double>(limit->value);
  Curves reached{"predicted", {}, Paint::series_0, true, std::nullopt};
  Curves links{"links", {}, Paint::series_1, true, std::nullopt};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto x = static_cast<double>(table.figures[i].size);
    const double rate = std::get<double>(table.rows[i][static_cast<std::size_t>(column - table.columns.begin())]);
    if (rate <= 0)
      continue;
    const auto size = size_text(x, true);
    reached.points.push_back({x, rate,
                              fmt::format("{}: {} GB/s, by {} and {}", size, four_digits(rate),
                                          std::get<std::string>(cell(table, i, "algorithm")),
                                          std::get<std::string>(cell(table, i, "protocol")))});
    links.points.push_back({x, most, fmt::format("links: {} GB/s", four_digits(most))});
  }
  CurveChart chart;
  chart.says = "Curve of bus bandwidth over the size of the call, and what the links would carry";
  chart.x_name = "size (B)";
  chart.y_name = "bus bandwidth (GB/s)";
  chart.curves = {std::move(reached), std::move(links)};
  return figure_of("Bus bandwidth by size",
                   "Both axes are logarithmic. The line above is a ring whose data had all of the links' rate.", chart);
}

PageSection result_section(const RunRecord& record) {
  PageSection section{"Result", {}};
  const auto& table = record.table;
  const bool has_curve = table.figures.size() > 1 || record.reference;
  if (has_curve) {
    const auto metric = metric_of(record);
    section.parts.push_back(figure_of_curve(record, curve_of(record, metric)));
    if (!record.reference && metric == Metric::time && is_shown(table, "mbytes_per_s"))
      section.parts.push_back(figure_of_curve(record, curve_of(record, Metric::bandwidth)));
  } else if (record.summary) {
    section.parts.push_back(ranks_figure(*record.summary, record.ranks));
  }
  if (auto figure = bus_figure(table))
    section.parts.push_back(std::move(*figure));
  section.parts.push_back(table_of("Table", sheet_of(record)));
  return section;
}

} // namespace

std::optional<CurveChart> chart_of(const RunRecord& record) {
  return record.table.figures.size() > 1 ? std::optional(size_chart(record, curve_of(record, metric_of(record))))
                                         : std::nullopt;
}

Page page_of(const RunRecord& whole, const Machine& machine) {
  const auto record = shown_record(whole);
  Page page{record.scenario, summary_of(record), {}, {}};
  page.facts = {{"what ran", record.table.title},
                {"platform", record.platform},
                {"fabric", record.fabric},
                {"ranks", fmt::format("{}", record.ranks.size())},
                {"messages", fmt::format("{}", record.messages)},
                {"engine", record.engine},
                {"scenario file", record.scenario_file},
                {"platform file", record.platform_file}};
  page.sections.push_back(result_section(record));
  PageSection time{"Where the time goes", {}};
  if (record.summary) {
    if (page.sections.front().parts.size() > 1 && record.table.figures.size() > 1)
      time.parts.push_back(ranks_figure(*record.summary, record.ranks));
    time.parts.push_back(all_ranks(*record.summary, record.ranks));
    if (!record.summary->shares.empty()) {
      time.parts.push_back(path_figure(*record.summary));
      time.parts.push_back(all_shares(*record.summary));
      ReportParts order;
      add_order(*record.summary, order);
      add_parts(order, time);
    }
    page.sections.push_back(std::move(time));
  }
  if (record.summary && record.table.calls && !record.table.calls->lines.empty())
    page.sections.push_back(calls_section(*record.table.calls));
  PageSection where{"The machine", {machine_figure(machine, "Ranks, and use of links over the whole run")}};
  if (record.summary && !record.summary->links.empty())
    where.parts.push_back(links_table(record.summary->links, record.summary->unit));
  page.sections.push_back(std::move(where));
  if (record.summary && record.summary->traffic && record.summary->traffic->blocks() > 1)
    page.sections.push_back(
        {"Messages", {traffic_figure(*record.summary->traffic), all_pairs(*record.summary->traffic)}});
  page.sections.push_back(sources_section(record));
  add_remarks(report_of(record).parts(), page);
  return page;
}

} // namespace kakehashi
