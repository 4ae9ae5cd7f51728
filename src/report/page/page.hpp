// A report as plain values: pictures and tables in sections. page_writer.hpp makes one HTML file of it.
#pragma once

#include "report/draw/drawing.hpp"
#include "report/report.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
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

struct PageCell {
  PageCell(std::string text, std::optional<double> value = std::nullopt) : text(std::move(text)), value(value) {}
  PageCell(std::string_view text) : text(text) {}
  PageCell(const char* text) : text(text) {}
  template <std::integral Count>
  PageCell(Count count) : text(std::to_string(count)), value(static_cast<double>(count)) {}

  std::string text;
  std::optional<double> value; // the value in JSON; text has none
};
struct PageTable {
  std::string title;
  std::string note; // may be empty
  std::vector<std::string> columns;
  std::vector<std::vector<PageCell>> rows;
};

using Remarks = std::vector<Note>;

struct PageSection {
  std::string title;
  std::vector<std::variant<Figure, PageTable, Remarks>> parts;
};

struct Page {
  std::string title;
  std::string summary; // the finding in one or two sentences
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<PageSection> sections;
};

// The chart that --plot writes: the first one.
const Drawing* main_drawing(const Page& page);

// Adds what text says: remarks, and listings as tables.
void add_parts(const ReportParts& parts, PageSection& section);
void add_tables(const ReportParts& parts, PageSection& section); // the same without remarks
// Adds a section with all remarks that text has, after the page's first one.
void add_remarks(const ReportParts& parts, Page& page);
PageTable table_of(const Listing& listing);
PageTable table_of(const Sheet& sheet, std::string title);
inline constexpr std::size_t longest_table = 1000; // rows

// Returns a file's name without its folder: a page may be published.
std::string name_of_file(const std::string& path);

// Shows these decimals, and keeps the complete value as in JSON.
PageCell number_cell(double value, int decimals);
PageCell size_cell(std::uint64_t bytes);               // "4 KiB"
PageCell volume_cell(double bytes);                    // "4.194 MB"
PageCell percent_cell(double share, int decimals = 1); // its value remains a share
inline const PageCell empty_cell{"–"};

} // namespace kakehashi
