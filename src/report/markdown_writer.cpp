// A report → Markdown: remarks as lists, and tables.
#include "report/report.hpp"

#include <fmt/ostream.h>

namespace kakehashi {
namespace {

// In a cell a bar would end it.
std::string in_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

struct MarkdownPart {
  std::ostream& out;
  bool is_first = true;
  bool is_after_table = false;

  void operator()(const Note& note) {
    fmt::print(out, "{}{:{}}- {}\n", is_after_table ? "\n" : "", "", 2 * note.depth, note.text);
    is_after_table = false;
    is_first = false;
  }

  void operator()(const Item& item) { (*this)(Note{item.text, 1}); }

  void operator()(const Preformatted& lines) const { fmt::print(out, "```\n{}```\n", lines.text); }

  void operator()(const Listing& listing) {
    out << (is_first ? "" : "\n");
    if (!listing.title.empty())
      fmt::print(out, "### {}\n\n", listing.title);
    for (const auto& head : listing.heads)
      fmt::print(out, "| {} ", in_cell(head.text));
    out << "|\n";
    for (const auto& head : listing.heads)
      out << (head.is_left ? "|---" : "|---:");
    out << "|\n";
    for (const auto& row : listing.rows) {
      for (const auto& cell : row)
        fmt::print(out, "| {} {:|<{}}", in_cell(cell.text), "", cell.columns - 1);
      out << "|\n";
    }
    is_after_table = true;
    is_first = false;
  }
};

} // namespace

void write_markdown(const Report& report, std::ostream& out) {
  MarkdownPart writer{out};
  for (const auto& part : report.parts())
    std::visit(writer, part);
}

} // namespace kakehashi
