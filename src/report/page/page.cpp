#include "report/page/page.hpp"

#include <algorithm>
#include <filesystem>

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

} // namespace kakehashi
