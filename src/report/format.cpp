#include "report/format.hpp"

#include <algorithm>
#include <array>

namespace kakehashi {

void write_text(const Report& report, std::ostream& out);
void write_csv(const Report& report, std::ostream& out);
void write_json(const Report& report, std::ostream& out);
void write_markdown(const Report& report, std::ostream& out);

namespace {

constexpr std::array formats{
    ReportFormat{.name = "table", .ending = ".txt", .write = write_text},
    ReportFormat{.name = "csv", .ending = ".csv", .write = write_csv, .needs_sheet = true},
    ReportFormat{.name = "json", .ending = ".json", .write = write_json},
    ReportFormat{.name = "markdown", .ending = ".md", .write = write_markdown},
};

} // namespace

std::vector<std::string> format_names(bool has_sheet) {
  std::vector<std::string> names;
  for (const auto& format : formats)
    if (has_sheet || !format.needs_sheet)
      names.emplace_back(format.name);
  return names;
}

const ReportFormat* find_format(std::string_view name) {
  const auto found = std::ranges::find(formats, name, &ReportFormat::name);
  return found == formats.end() ? nullptr : &*found;
}

} // namespace kakehashi
