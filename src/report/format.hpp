// The formats in which findings are printed, one row each, with a writer of parts or of whole reports.
#pragma once

#include "report/findings.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

struct ReportFormat {
  std::string_view name;
  std::string_view ending; // the ending of its files
  // Writes new parts; null: it only writes whole reports.
  void (*write_parts)(const ReportParts& parts, PartsOut& to) = nullptr;
  void (*write)(const Report& report, std::ostream& out) = nullptr; // writes a whole report
  bool needs_sheet = false;                                         // it needs a report's sheet
};

void write_report(const Report& report, const ReportFormat& format, PartsOut to);

const ReportFormat* find_format(std::string_view name); // null: there is none

// The formats that print reports, with or without a sheet.
std::vector<std::string> format_names(bool has_sheet = true);

} // namespace kakehashi
