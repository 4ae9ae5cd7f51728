// A report as plain values: pictures and tables in sections. write_page makes one HTML file of it.
#pragma once

#include "report/draw/chart.hpp"
#include "report/draw/drawing.hpp"
#include "report/report.hpp"
#include "result/explanation.hpp"
#include "result/predicted_curve.hpp"
#include "result/summary.hpp"
#include "result/traffic.hpp"

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kakehashi {

// A picture, drawn for a desktop and for a phone.
struct Figure {
  std::string title;
  std::string caption; // may be empty
  Drawing wide;
  Drawing narrow;
};
inline constexpr double wide_page = 760;
inline constexpr double narrow_page = 344;

// Draws it at both widths.
template <std::invocable<double> Draw> Figure figure_of(std::string title, std::string caption, const Draw& draw) {
  return {std::move(title), std::move(caption), draw(wide_page), draw(narrow_page)};
}
template <class Chart> Figure figure_of(std::string title, std::string caption, const Chart& chart) {
  return {std::move(title), std::move(caption), draw(chart, wide_page), draw(chart, narrow_page)};
}

using Remarks = std::vector<Note>;

struct PageSection {
  std::string title;
  std::vector<std::variant<Figure, Listing, Remarks>> parts; // all rows of listings, as tables
};

struct Page {
  std::string title;
  std::string summary; // the finding in one or two sentences
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<PageSection> sections;
};

// The chart that --plot writes: the first one.
const Drawing* main_drawing(const Page& page);

// Adds what text says.
void add_parts(const ReportParts& parts, PageSection& section);
void add_tables(const ReportParts& parts, PageSection& section); // the same without remarks
// Adds a section with all remarks that text has, after the page's first one.
void add_remarks(const ReportParts& parts, Page& page);
const Listing& first_listing(const ReportParts& parts); // which must be there
Listing table_of(std::string name, const Sheet& sheet);

// Returns a file's name without its folder: a page may be published.
std::string name_of_file(const std::string& path);

// The style sheet and the script of every page; CMake puts them into the program.
extern const std::string_view page_style;  // style.css
extern const std::string_view page_script; // script.js

// Predicted and measured curves → charts of them.
std::string_view unit_of(Metric metric);           // "us", "MB/s"
std::string size_text(double size, bool is_bytes); // "64 KiB"

// Draws measured points over the predicted line, and errors below. A chart with a title is one of several small ones.
CurveChart chart_of(const PredictedCurve& curve, std::string title = "", std::string_view rate_name = "MB/s");

// Draws small charts, one for each curve.
Figure curves_figure(std::span<const PredictedCurve> curves, std::string title, std::string caption);

// How a run spent its time → pictures and tables.
Figure ranks_figure(const RunSummary& summary, std::span<const std::string> devices);
Figure path_figure(const RunSummary& summary);
Figure traffic_figure(const Traffic& traffic);
Listing links_table(std::span<const LinkUse> links, RateUnit unit, const std::string& where = "");
// Shows the effect of parameters if they were a tenth better.
Figure effects_figure(std::span<const Effect> effects);

} // namespace kakehashi
