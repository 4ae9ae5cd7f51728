#include "command/command_line.hpp"

#include "base/file.hpp"
#include "base/number.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace kakehashi {
namespace {

std::string config_file() {
  const auto variable = [](const char* name) { return std::getenv(name); };
  if (const auto* stated = variable("KAKEHASHI_CONFIG"))
    return stated;
  if (const auto* folder = variable("XDG_CONFIG_HOME"); folder && *folder)
    return std::string(folder) + "/kakehashi/config";
  const auto* home = variable("HOME");
  return home ? std::string(home) + "/.config/kakehashi/config" : "";
}

// Returns an empty text, or what is expected instead.
std::string take(const std::string& name, const std::string& value, Habits& habits) {
  const bool is_choice = value == "yes" || value == "no";
  if (name == "jobs") {
    habits.jobs = number_in<int>(value);
    return habits.jobs && *habits.jobs >= 1 && *habits.jobs <= 1024 ? "" : "jobs from 1 to 1024";
  }
  if (name == "format") {
    habits.format = value;
    return value == "table" || value == "csv" || value == "json" ? "" : "format = table, csv or json";
  }
  if (name == "colour" || name == "quiet") {
    (name == "colour" ? habits.has_colour : habits.is_quiet) = value == "yes";
    return is_choice ? "" : name + " = yes or no";
  }
  return "jobs, format, colour or quiet, \"=\" and a value";
}

} // namespace

Result<Habits> parse_habits(const std::string& text, const std::string& file) {
  Habits habits;
  Errors errors;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto stated = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (stated.empty())
      continue;
    const auto equals = std::min(stated.find('='), stated.size());
    const std::string value(trimmed(stated.substr(std::min(equals + 1, stated.size()))));
    const auto expected = take(std::string(trimmed(stated.substr(0, equals))), value, habits);
    if (!expected.empty())
      errors.push_back(input_error(file, fmt::format("line {}", number), mismatch(in_quotes(stated), expected)));
  }
  if (!errors.empty())
    return errors;
  return habits;
}

Result<Habits> read_habits() {
  const auto file = config_file();
  std::error_code none;
  if (file.empty() || !std::filesystem::exists(file, none))
    return Habits{};
  const auto text = read_text(file, 1 << 16);
  return text ? parse_habits(*text, file) : text.errors();
}

void apply(const Habits& habits, const std::vector<OptionRow>& rows) {
  for (const auto& row : rows) {
    if (auto* const* jobs = std::get_if<int*>(&row.place); jobs && row.names == "--jobs" && habits.jobs)
      **jobs = *habits.jobs;
    if (auto* const* quiet = std::get_if<bool*>(&row.place); quiet && row.names == "--quiet" && habits.is_quiet)
      **quiet = true;
    const auto formats = only_values(row);
    if (row.names == "--format" && std::ranges::find(formats, habits.format) != formats.end())
      *std::get<std::string*>(row.place) = habits.format;
  }
}

} // namespace kakehashi
