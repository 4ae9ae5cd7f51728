// Writes the parts of a report as text in columns, with remarks after "#".
#include "base/text.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr std::array<std::string_view, 5> tone_codes{"", "\033[2m", "\033[32m", "\033[33m",
                                                     "\033[31m"}; // codes in the order of Tone
constexpr std::string_view plain_again = "\033[0m";

// Puts "#" before a remark, unless its whole listing has it.
ListedRow as_in(const Listing& listing, ListedRow row) {
  auto& first = row.front();
  if (!listing.is_remark && first.tone == Tone::remark && !first.text.starts_with('#'))
    first.text = first.text.empty() ? "#" : "# " + first.text;
  return row;
}

ListedRow heading_of(const Listing& listing) {
  ListedRow cells;
  for (const auto& head : listing.heads)
    cells.emplace_back(head.text);
  while (cells.size() > 1 && cells.back().text.empty())
    cells.pop_back();
  cells.front().tone = Tone::remark;
  return as_in(listing, std::move(cells));
}

void widen(const ListedRow& row, std::vector<Head>& heads) {
  std::size_t column = 0;
  for (const auto& cell : row) {
    if (cell.columns == 1)
      heads[column].width = std::max(heads[column].width, cell.text.size());
    column += cell.columns;
  }
}

std::vector<Head> widened(const Listing& listing) {
  auto heads = listing.heads;
  if (listing.keeps_widths)
    return heads;
  if (listing.has_heading)
    widen(heading_of(listing), heads);
  for (const auto& row : listing.rows)
    widen(as_in(listing, row), heads);
  return heads;
}

struct TextPart {
  PartsOut& to;

  void put(std::string_view text, Tone tone) const {
    const auto colour = tone_codes[static_cast<std::size_t>(tone)];
    if (!to.has_colour)
      to.out << text;
    else if (!text.empty())
      to.out << colour << printable_line(text) << (colour.empty() ? colour : plain_again);
  }

  void put_remark(const std::string& text) const {
    put("# " + text, Tone::remark);
    to.out << '\n';
  }

  // Text at the end of a row keeps its own width, even if it spans several columns.
  void put_row(const ListedRow& row, const Listing& listing, const std::vector<Head>& heads) const {
    const auto whole = listing.is_remark || row.front().tone == Tone::remark ? Tone::remark : Tone::plain;
    std::string line = listing.is_remark ? "# " : "";
    std::size_t column = 0;
    for (const auto& cell : row) {
      const auto last = column + cell.columns - 1;
      std::size_t width = heads[last].width;
      for (auto before = column; before < last; ++before)
        width += heads[before].width + heads[before + 1].gap;
      line.append(column == 0 ? 0 : heads[column].gap, ' ');
      column = last + 1;
      const bool is_left = heads[last].is_left;
      const auto padded = &cell == &row.back() && (is_left || cell.columns > 1) ? cell.text
                          : is_left ? fmt::format("{:<{}}", cell.text, width)
                                    : fmt::format("{:>{}}", cell.text, width);
      if (whole != Tone::plain || cell.tone == Tone::plain) {
        line += padded;
        continue;
      }
      const auto from = is_left ? 0 : padded.size() - cell.text.size();
      const auto toned = std::min(cell.toned, cell.text.size());
      put(line + padded.substr(0, from), whole);
      put(std::string_view(padded).substr(from, toned), cell.tone);
      line = padded.substr(from + toned);
    }
    put(line, whole);
    to.out << '\n';
  }

  void put_rows(const Listing& listing) const {
    const auto heads = widened(listing);
    const auto shown = std::min(listing.most, listing.rows.size());
    for (; to.rows < shown; ++to.rows)
      put_row(as_in(listing, listing.rows[to.rows]), listing, heads);
    if (shown < listing.rows.size())
      put_remark(fmt::format("and {} more", listing.rows.size() - shown));
  }

  void operator()(const Note& note) const { put_remark(std::string(2 * note.depth, ' ') + note.text); }

  void operator()(const Item& item) const {
    put("  " + item.text, Tone::plain);
    to.out << '\n';
  }

  void operator()(const Listing& listing) const {
    if (!listing.title.empty())
      put_remark(listing.title);
    if (listing.has_heading)
      put_row(heading_of(listing), listing, widened(listing));
    if (!listing.below.empty())
      put_remark(listing.below);
    put_rows(listing);
  }
};

} // namespace

Head left(std::string text, std::size_t width, std::size_t gap) {
  return {std::move(text), width, true, gap};
}

Head right(std::string text, std::size_t width, std::size_t gap) {
  return {std::move(text), width, false, gap};
}

ListedCell in_tone(ListedCell cell, Tone tone, std::size_t toned) {
  cell.tone = tone;
  cell.toned = toned;
  return cell;
}

void write_text(const ReportParts& parts, PartsOut& to) {
  write_new(parts, to, TextPart{to});
}

void write_text(const ReportParts& parts, std::ostream& out) {
  PartsOut to{out};
  write_text(parts, to);
}

} // namespace kakehashi
