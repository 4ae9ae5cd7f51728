#include "report/page/pages.hpp"

#include "base/text.hpp"
#include "report/draw/svg.hpp"
#include "report/page/page.hpp"

#include <algorithm>
#include <fmt/ostream.h>
#include <utility>

namespace kakehashi {
namespace {

void write_head(const Page& page, std::ostream& out) {
  fmt::print(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
             "script-src 'unsafe-inline'\"/>\n<meta name=\"generator\" content=\"kakehashi {}\"/>\n<title>{}</title>\n"
             "<style>\n",
             KAKEHASHI_VERSION, in_xml(page.title));
  write_paints(out);
  fmt::print(out, "{}</style>\n</head>\n", page_style);
}

constexpr std::size_t longest_table = 1000; // rows

// Returns the table as a page shows it: with a cell for each column, and with the rows' name, which text has at the
// right, in the first one.
Listing whole_table(const Listing& table) {
  auto whole = table;
  whole.rows.resize(std::min(longest_table, table.rows.size()));
  const auto width = table.heads.size();
  const bool is_turned = !table.heads.front().is_left && table.heads.back().is_left;
  const auto turn = [&](auto& list) { std::rotate(list.begin(), list.end() - (is_turned ? 1 : 0), list.end()); };
  turn(whole.heads);
  for (auto& head : whole.heads) // each has a name for screen readers
    if (head.text.empty())
      head.text = head.key.empty() ? "note" : head.key;
  for (auto& row : whole.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      row.insert(row.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::exchange(row[i].columns, 1) - 1,
                 ListedCell(""));
    row.resize(width, "–");
    turn(row);
  }
  return whole;
}

void write_cell(const ListedCell& cell, bool is_first, bool is_left, std::ostream& out) {
  const auto name = is_first ? "th scope=\"row\"" : "td";
  constexpr std::size_t longest_line = 36; // longer lines may break
  const auto kind = cell.text.size() > longest_line ? " class=\"long\"" : is_left ? "" : " class=\"number\"";
  const auto value = cell.value ? fmt::format(" data-value=\"{}\"", *cell.value) : "";
  fmt::print(out, "<{}{}{}>{}</{}>", name, kind, value, in_xml(cell.text), is_first ? "th" : "td");
}

// Returns the width that a table needs on paper, in px: text may break between words, numbers may not.
double least_width(const Listing& table) {
  constexpr double size = 8; // the size of the font, and of a cell's margins
  double width = 0;
  for (std::size_t i = 0; i < table.heads.size(); ++i) {
    double column = 0;
    const auto widen = [&](const std::string& text, bool is_whole) {
      for (const auto word : is_whole ? std::vector<std::string_view>{text} : words_in(text))
        column = std::max(column, width_of(std::string(word), size));
    };
    widen(table.heads[i].text, false);
    for (const auto& row : table.rows)
      widen(row[i].text, row[i].value.has_value());
    width += column + size;
  }
  return width;
}

struct PartWriter {
  std::ostream& out;

  void operator()(const Remarks& remarks) const {
    out << "<ul>\n";
    for (const auto& [text, depth] : remarks)
      fmt::print(out, "<li{}>{}</li>\n", depth > 0 ? " class=\"deep\"" : "", in_xml(text));
    out << "</ul>\n";
  }

  void operator()(const Figure& figure) const {
    fmt::print(out, "<figure>\n<figcaption><h3>{}</h3>{}</figcaption>\n<div class=\"wide\">\n", in_xml(figure.title),
               figure.caption.empty() ? "" : fmt::format("<p>{}</p>", in_xml(figure.caption)));
    write_figure(figure.wide, out);
    out << "</div>\n<div class=\"narrow\">\n";
    write_figure(figure.narrow, out);
    out << "</div>\n</figure>\n";
  }

  void operator()(const Listing& listing) const {
    constexpr std::size_t most_on_paper = 15; // number of rows; style.css hides the others
    constexpr double upright = 700;           // widths of paper, in px
    constexpr double turned = 1020;
    const auto table = whole_table(listing);
    const auto title = in_xml(table.title.empty() ? table.name : table.title);
    const auto width = least_width(table);
    if (width > upright)
      fmt::print(out, "<div class=\"broad\" style=\"--fit:{:.3f}\">\n", std::min(1.0, turned / width));
    fmt::print(out, "<h3>{}</h3>\n", title);
    if (const bool is_cut = table.rows.size() < listing.rows.size(); is_cut || !table.below.empty())
      fmt::print(out, "<p>{}{}</p>\n", in_xml(table.below),
                 is_cut ? fmt::format(" The first {} of {} rows; JSON has all.", table.rows.size(), listing.rows.size())
                        : "");
    fmt::print(
        out,
        "<div class=\"scroll{1}\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n<table>\n<caption>{0}</caption>\n"
        "<thead><tr>",
        title, table.rows.size() > most_on_paper ? " shortened" : "");
    for (const auto& head : table.heads)
      fmt::print(out, "<th scope=\"col\" data-name=\"{}\"{}>{}</th>", in_xml(head.key.empty() ? head.text : head.key),
                 head.is_left ? "" : " class=\"number\"", in_xml(head.text.empty() ? head.key : head.text));
    out << "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      out << "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i)
        write_cell(row[i], i == 0, table.heads[i].is_left, out);
      out << "</tr>\n";
    }
    out << "</tbody>\n</table>\n</div>\n" << (width > upright ? "</div>\n" : "");
  }
};

} // namespace

void write_page(const Page& page, std::ostream& out) {
  write_head(page, out);
  fmt::print(out, "<body>\n<header>\n<h1>{}</h1>\n<p class=\"summary\">{}</p>\n<dl>\n", in_xml(page.title),
             in_xml(page.summary));
  for (const auto& [name, value] : page.facts)
    fmt::print(out, "<div><dt>{}</dt><dd>{}</dd></div>\n", in_xml(name), in_xml(value));
  out << "</dl>\n</header>\n<main>\n";
  for (const auto& section : page.sections) {
    fmt::print(out, "<section>\n<h2>{}</h2>\n", in_xml(section.title));
    for (const auto& part : section.parts)
      std::visit(PartWriter{out}, part);
    out << "</section>\n";
  }
  fmt::print(
      out,
      "</main>\n<footer><p>Made by kakehashi {}. Headings of tables sort them; in pictures, point at anything or "
      "use the arrow keys.</p></footer>\n<div id=\"tip\" aria-hidden=\"true\" hidden=\"hidden\"></div>\n"
      "<script>\n//<![CDATA[\n{}//]]>\n</script>\n</body>\n</html>\n",
      KAKEHASHI_VERSION, page_script);
}

} // namespace kakehashi
