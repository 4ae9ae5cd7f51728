#include "report/page/page.hpp"

#include "base/text.hpp"
#include "base/units.hpp"
#include "report/number_form.hpp"

#include <cmath>
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

PageTable table_of(const Listing& listing) {
  PageTable table{listing.title.empty() ? listing.name : listing.title, listing.below, {}, {}};
  for (const auto& head : listing.heads)
    table.columns.push_back(head.text.empty() ? "which" : head.text);
  const auto count = std::min(longest_table, listing.rows.size());
  if (count < listing.rows.size())
    table.note = fmt::format("The first {} of {} rows.", count, listing.rows.size());
  for (const auto& row : std::span(listing.rows).first(count)) {
    auto& cells = table.rows.emplace_back();
    for (const auto& cell : row) {
      cells.push_back(cell.text);
      cells.resize(cells.size() + cell.columns - 1, PageCell(""));
    }
    cells.resize(table.columns.size(), PageCell(""));
  }
  return table;
}

PageTable table_of(const Sheet& sheet, std::string title) {
  Listing listing{std::move(title), {}, sheet.rows};
  for (const auto& name : sheet.names)
    listing.heads.push_back(left(name));
  return table_of(listing);
}

void add_parts(const ReportParts& parts, PageSection& section) {
  for (const auto& part : parts)
    if (auto note = note_of(part)) {
      if (section.parts.empty() || !std::holds_alternative<Remarks>(section.parts.back()))
        section.parts.push_back(Remarks());
      std::get<Remarks>(section.parts.back()).push_back(std::move(*note));
    } else {
      section.parts.push_back(table_of(std::get<Listing>(part)));
    }
}

void add_tables(const ReportParts& parts, PageSection& section) {
  for (const auto& part : parts)
    if (const auto* listing = std::get_if<Listing>(&part))
      section.parts.push_back(table_of(*listing));
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

PageCell number_cell(double value, int decimals) {
  return {fmt::format("{:.{}f}", value, decimals), rounded(value)};
}

PageCell size_cell(std::uint64_t bytes) {
  return {to_text(Bytes{bytes}), static_cast<double>(bytes)};
}

PageCell volume_cell(double bytes) {
  const auto text = bytes < 1e3   ? fmt::format("{:g} B", bytes)
                    : bytes < 1e6 ? four_digits(bytes / 1e3) + " kB"
                    : bytes < 1e9 ? four_digits(bytes / 1e6) + " MB"
                                  : four_digits(bytes / 1e9) + " GB";
  return {text, rounded(bytes)};
}

PageCell percent_cell(double share, int decimals) {
  const double unit = std::pow(10, decimals);
  const double percent = std::round(100 * share * unit) / unit;
  return {fmt::format("{:.{}f} %", percent == 0 ? 0 : percent, decimals), rounded(share)}; // avoids -0.0
}

} // namespace kakehashi
