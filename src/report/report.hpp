// A run's record → text on a stream, in one of the formats.
#pragma once

#include "base/error.hpp"
#include "result/record.hpp"
#include "result/validation.hpp"

#include <array>
#include <ostream>

namespace kakehashi {

enum class Format { table, csv, json };
inline constexpr std::array<std::string_view, 3> format_names{"table", "csv", "json"};

void write_table(const RunRecord& record, std::ostream& out); // as the suites print, with measured values and errors
void write_csv(const RunRecord& record, std::ostream& out);   // a header and a line a row
void write_json(const RunRecord& record, std::ostream& out);  // with schema_version and provenance

void write(const RunRecord& record, Format format, std::ostream& out);
void write(const Validation& validation, Format format, std::ostream& out);

// Twelve digits are far more than the model is worth, and hide how a machine rounds.
double rounded(double value);
// "+1.5 %"; what rounds to nothing has no minus.
std::string signed_percent(double part);

} // namespace kakehashi
