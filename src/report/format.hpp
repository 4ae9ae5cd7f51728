// The formats that results are printed in: a row each, with a writer for each kind of result.
#pragma once

#include "report/findings.hpp"
#include "result/record.hpp"

#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// A writer that is missing is null: the format has no form of that result.
struct ReportFormat {
  std::string_view name;
  std::string_view ending; // of files
  void (*write)(const Report& report, std::ostream& out) = nullptr;
  bool needs_sheet = false;
  void (*run)(const RunRecord& record, std::ostream& out) = nullptr;
};

std::span<const ReportFormat> report_formats();
const ReportFormat* find_format(std::string_view name); // null: there is none

// Those that print reports; all can print one that has a sheet.
std::vector<std::string> format_names(bool has_sheet = true);

// Those that have a writer: formats_with(&ReportFormat::run).
template <class Writer> std::vector<std::string> formats_with(Writer ReportFormat::*writer) {
  std::vector<std::string> names;
  for (const auto& format : report_formats())
    if (format.*writer)
      names.emplace_back(format.name);
  return names;
}

} // namespace kakehashi
