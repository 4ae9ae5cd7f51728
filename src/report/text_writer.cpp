// A report → text in columns, remarks behind "#".
#include "report/report.hpp"

#include <algorithm>
#include <fmt/ostream.h>

namespace kakehashi {
namespace {

ListedRow heading_of(const Listing& listing) {
  ListedRow cells;
  for (const auto& head : listing.heads)
    cells.emplace_back(head.text);
  while (cells.size() > 1 && cells.back().text.empty())
    cells.pop_back();
  cells.front().text = cells.front().text.empty() ? "#" : "# " + cells.front().text;
  return cells;
}

void widen(const ListedRow& row, std::vector<Head>& heads) {
  std::size_t column = 0;
  for (const auto& cell : row) {
    if (cell.columns == 1)
      heads[column].width = std::max(heads[column].width, cell.text.size());
    column += cell.columns;
  }
}

// Text at the end of a row is as wide as it is, and so is what goes over several columns there.
void write_row(const ListedRow& row, const std::vector<Head>& heads, std::ostream& out) {
  std::size_t column = 0;
  for (const auto& cell : row) {
    const auto last = column + cell.columns - 1;
    std::size_t width = heads[last].width;
    for (auto before = column; before < last; ++before)
      width += heads[before].width + heads[before + 1].gap;
    fmt::print(out, "{:{}}", "", column == 0 ? 0 : heads[column].gap);
    column = last + 1;
    if (&cell == &row.back() && (heads[last].is_left || cell.columns > 1))
      out << cell.text;
    else if (heads[last].is_left)
      fmt::print(out, "{:<{}}", cell.text, width);
    else
      fmt::print(out, "{:>{}}", cell.text, width);
  }
  out << '\n';
}

struct TextPart {
  std::ostream& out;

  void operator()(const Note& note) const { fmt::print(out, "# {:{}}{}\n", "", 2 * note.depth, note.text); }

  void operator()(const Item& item) const { fmt::print(out, "  {}\n", item.text); }

  void operator()(const Preformatted& lines) const { out << lines.text; }

  void operator()(const Listing& listing) const {
    if (!listing.title.empty())
      fmt::print(out, "# {}\n", listing.title);
    auto heads = listing.heads;
    if (listing.has_heading)
      widen(heading_of(listing), heads);
    for (const auto& row : listing.rows)
      widen(row, heads);
    if (listing.has_heading)
      write_row(heading_of(listing), heads, out);
    const auto shown = std::min(listing.most, listing.rows.size());
    for (std::size_t i = 0; i < shown; ++i)
      write_row(listing.rows[i], heads, out);
    if (shown < listing.rows.size())
      fmt::print(out, "# and {} more\n", listing.rows.size() - shown);
  }
};

} // namespace

Head left(std::string text, std::size_t width, std::size_t gap) {
  return {std::move(text), width, true, gap};
}

Head right(std::string text, std::size_t width, std::size_t gap) {
  return {std::move(text), width, false, gap};
}

void write_text(const Listing& listing, std::ostream& out) {
  TextPart{out}(listing);
}

void write_text(const Report& report, std::ostream& out) {
  for (const auto& part : report.parts())
    std::visit(TextPart{out}, part);
}

} // namespace kakehashi
