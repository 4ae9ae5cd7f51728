// Writes the parts of a report as Markdown: remarks as lists, and tables.
#include "report/report.hpp"

#include <fmt/ostream.h>

namespace kakehashi {
namespace {

// The names in a user's file are text, not tags or links.
std::string in_markdown(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    if (c == '<')
      escaped += "&lt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '(' && escaped.ends_with(']'))
      escaped += "\\(";
    else
      escaped += c;
  return escaped;
}

// A bar in a cell would end the cell.
std::string in_cell(std::string_view text) {
  auto cell = in_markdown(text);
  for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2)
    cell.insert(at, "\\");
  return cell;
}

struct MarkdownPart {
  const ReportParts& parts;
  PartsOut& to;

  void put_rows(const Listing& listing) const {
    for (; to.rows < listing.rows.size(); ++to.rows) {
      for (const auto& cell : listing.rows[to.rows])
        fmt::print(to.out, "| {} {:|<{}}", in_cell(cell.text), "", cell.columns - 1);
      to.out << "|\n";
    }
  }

  void operator()(const Note& note) const {
    const bool is_after_table = to.parts > 0 && std::holds_alternative<Listing>(parts[to.parts - 1]);
    fmt::print(to.out, "{}{:{}}- {}\n", is_after_table ? "\n" : "", "", 2 * note.depth, in_markdown(note.text));
  }

  void operator()(const Item& item) const { (*this)(Note{item.text, 1}); }

  void operator()(const Listing& listing) const {
    to.out << (to.parts == 0 ? "" : "\n");
    if (!listing.title.empty())
      fmt::print(to.out, "### {}\n\n", in_markdown(listing.title));
    if (!listing.below.empty())
      fmt::print(to.out, "- {}\n\n", in_markdown(listing.below));
    for (const auto& head : listing.heads)
      fmt::print(to.out, "| {} ", in_cell(head.text));
    to.out << "|\n";
    for (const auto& head : listing.heads)
      to.out << (head.is_left ? "|---" : "|---:");
    to.out << "|\n";
    put_rows(listing);
  }
};

} // namespace

void write_markdown(const ReportParts& parts, PartsOut& to) {
  write_new(parts, to, MarkdownPart{parts, to});
}

} // namespace kakehashi
