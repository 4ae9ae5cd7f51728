#include "report/format.hpp"

#include "report/calibration_report.hpp"
#include "report/comparison_report.hpp"
#include "report/explanation_report.hpp"
#include "report/report.hpp"
#include "report/sweep_report.hpp"
#include "report/validation_report.hpp"

#include <algorithm>
#include <array>

namespace kakehashi {
namespace {

constexpr std::array formats{
    ReportFormat{"table", ".txt", write_table, write_table, write_table, write_table, write_table, write_table,
                 write_table, write_table},
    ReportFormat{"csv", ".csv", write_csv, write_csv, write_csv, write_csv},
    ReportFormat{"json", ".json", write_json, write_json, write_json, write_json, write_json, write_json, write_json,
                 write_json},
};

} // namespace

std::span<const ReportFormat> report_formats() {
  return formats;
}

const ReportFormat* find_format(std::string_view name) {
  const auto found = std::ranges::find(formats, name, &ReportFormat::name);
  return found == formats.end() ? nullptr : &*found;
}

} // namespace kakehashi
