#include "report/format.hpp"

#include "report/report.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <ostream>

namespace kakehashi {

void write_csv(const Report& report, std::ostream& out);
void write_json(const Report& report, std::ostream& out);

namespace {

constexpr std::array formats{
    ReportFormat{.name = "table", .ending = ".txt", .write_parts = write_text},
    ReportFormat{.name = "csv", .ending = ".csv", .write = write_csv, .needs_sheet = true},
    ReportFormat{.name = "json", .ending = ".json", .write = write_json},
    ReportFormat{.name = "markdown", .ending = ".md", .write_parts = write_markdown},
};

} // namespace

void write_report(const Report& report, const ReportFormat& format, PartsOut to) {
  if (format.write_parts)
    format.write_parts(report.parts(), to);
  else
    format.write(report, to.out);
}

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

// Writes a report as JSON.
void write_json(const Report& report, std::ostream& out) {
  out << report.tree().dump(2) << '\n';
}

} // namespace kakehashi
