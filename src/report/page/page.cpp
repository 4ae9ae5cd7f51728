#include "report/page/page.hpp"

#include "base/text.hpp"
#include "writer/number_form.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace kakehashi {

const Drawing* main_drawing(const Page& page) {
  for (const auto& section : page.sections)
    for (const auto& part : section.parts)
      if (const auto* figure = std::get_if<Figure>(&part))
        return &figure->wide;
  return nullptr;
}

namespace {

// Returns the remark that text has; nothing for a listing.
std::optional<Note> note_of(const ReportParts::value_type& part) {
  if (const auto* item = std::get_if<Item>(&part))
    return Note{item->text, 1};
  const auto* note = std::get_if<Note>(&part);
  return note ? std::optional(*note) : std::nullopt;
}

} // namespace

const Listing& first_listing(const ReportParts& parts) {
  return std::get<Listing>(
      *std::ranges::find_if(parts, [](const auto& part) { return std::holds_alternative<Listing>(part); }));
}

Listing table_of(std::string name, const Sheet& sheet) {
  Listing table{std::move(name), {}, {}};
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < sheet.heads.size(); ++i)
    if (!sheet.heads[i].text.empty()) {
      shown.push_back(i);
      table.heads.push_back(sheet.heads[i]);
    }
  for (const auto& row : sheet.rows)
    for (auto& cells = table.rows.emplace_back(); const auto i : shown)
      cells.push_back(row[i]);
  return table;
}

void add_parts(const ReportParts& parts, PageSection& section) {
  for (const auto& part : parts)
    if (auto note = note_of(part)) {
      if (section.parts.empty() || !std::holds_alternative<Remarks>(section.parts.back()))
        section.parts.push_back(Remarks());
      std::get<Remarks>(section.parts.back()).push_back(std::move(*note));
    } else {
      section.parts.push_back(std::get<Listing>(part));
    }
}

void add_tables(const ReportParts& parts, PageSection& section) {
  for (const auto& part : parts)
    if (const auto* listing = std::get_if<Listing>(&part))
      section.parts.push_back(*listing);
}

void add_remarks(const ReportParts& parts, Page& page) {
  Remarks remarks;
  for (const auto& part : parts)
    if (auto note = note_of(part))
      remarks.push_back(std::move(*note));
  if (!remarks.empty())
    page.sections.insert(page.sections.begin() + std::min<std::ptrdiff_t>(1, std::ssize(page.sections)),
                         {"Remarks", {std::move(remarks)}});
}

std::string name_of_file(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string_view unit_of(Metric metric) {
  return metric == Metric::time ? "us" : "MB/s";
}

std::string size_text(double size, bool is_bytes) {
  return is_bytes ? to_text(Bytes{static_cast<std::uint64_t>(size)}) : fmt::format("{:g}", size);
}

CurveChart chart_of(const PredictedCurve& curve, std::string title, std::string_view rate_name) {
  const auto unit = curve.metric == Metric::time ? "us" : rate_name;
  CurveChart chart;
  chart.says = fmt::format("Curve of {} over the message size: predicted and measured", curve.name);
  chart.x_name = "message size (B)";
  chart.y_name = curve.metric == Metric::time ? "time (us)" : "bandwidth (MB/s)";
  chart.title = std::move(title);
  Curves predicted{"predicted", {}, Paint::series_0, true, std::nullopt};
  Curves measured{"measured", {}, Paint::series_1, false, DotForm::ring};
  for (const auto& point : curve.points) {
    const auto x = static_cast<double>(point.size);
    const auto size = size_text(x, true);
    predicted.points.push_back(
        {x, point.predicted, fmt::format("{}: predicted {} {}", size, four_digits(point.predicted), unit)});
    if (point.measured)
      measured.points.push_back({x, *point.measured,
                                 fmt::format("{}: measured {} {}, predicted {} {}{}", size,
                                             four_digits(*point.measured), unit, four_digits(point.predicted), unit,
                                             point.error ? ", error " + signed_percent(*point.error) : "")});
    if (point.error)
      chart.errors.push_back({x, 100 * *point.error, fmt::format("{}: error {}", size, signed_percent(*point.error))});
  }
  chart.curves = {std::move(predicted)};
  if (!measured.points.empty())
    chart.curves.push_back(std::move(measured));
  return chart;
}

Figure curves_figure(std::span<const PredictedCurve> curves, std::string title, std::string caption) {
  std::vector<CurveChart> charts;
  for (const auto& curve : curves)
    charts.push_back(chart_of(curve, fmt::format("{} ({})", curve.name, unit_of(curve.metric))));
  const auto says = fmt::format("{}: {} small charts of predicted lines and measured points", title, charts.size());
  return figure_of(std::move(title), std::move(caption), [&](double width) { return draw(charts, says, width); });
}

} // namespace kakehashi
