// A report as plain values: pictures and tables in sections. page_writer.hpp makes one HTML file of it.
#pragma once

#include "report/draw/drawing.hpp"
#include "report/report.hpp"

#include <concepts>
#include <string>
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

} // namespace kakehashi
