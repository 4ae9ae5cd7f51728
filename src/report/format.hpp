// The formats that findings are printed in: a row each, with a writer of parts or of whole reports.
#pragma once

#include "report/findings.hpp"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

struct ReportFormat {
  std::string_view name;
  std::string_view ending;                                               // of files
  void (*write_parts)(const ReportParts& parts, PartsOut& to) = nullptr; // what is new of them; null: it writes
  void (*write)(const Report& report, std::ostream& out) = nullptr;      // reports as a whole
  bool needs_sheet = false;                                              // of a report
};

void write_report(const Report& report, const ReportFormat& format, PartsOut to);

const ReportFormat* find_format(std::string_view name); // null: there is none

// Those that print reports, with a sheet or without.
std::vector<std::string> format_names(bool has_sheet = true);

} // namespace kakehashi
