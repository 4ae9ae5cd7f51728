#include "command/option.hpp"

#include "base/data_folder.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <type_traits>

namespace kakehashi {

OptionRows::OptionRows(std::string_view names, std::string meaning, OptionPlace place, OptionForm form) {
  constexpr std::string_view type_names[] = {"",     "",     "INT", "UINT", "FLOAT",
                                             "TEXT", "TEXT", "INT", "TEXT", "FLOAT"}; // words by kind of place
  const auto end = std::min(names.find(' '), names.size());
  const auto value_name = end < names.size() ? names.substr(end + 1) : type_names[place.index()];
  all = {{std::string(names.substr(0, end)), std::string(value_name), std::move(meaning), place, std::move(form)}};
}

OptionRows::OptionRows(std::initializer_list<OptionRows> groups) {
  for (const auto& group : groups)
    all.insert(all.end(), group.all.begin(), group.all.end());
}

OptionRows help_row() {
  return {"-h,--help", "print this help, and exit", static_cast<bool*>(nullptr)};
}

OptionRows program_rows() {
  return {help_row(), {"--version", "print the version, and exit", static_cast<bool*>(nullptr)}};
}

std::vector<std::string> names_of(const OptionRow& row) {
  const auto comma = row.names.find(',');
  if (comma == std::string::npos)
    return {row.names};
  return {row.names.substr(0, comma), row.names.substr(comma + 1)};
}

bool is_positional(const OptionRow& row) {
  return !row.names.starts_with("-");
}

bool is_flag(const OptionRow& row) {
  return row.value_name.empty();
}

bool is_number(const OptionRow& row) {
  return row.value_name == "INT" || row.value_name == "UINT" || row.value_name == "FLOAT";
}

bool has_value(const OptionRow& row) {
  return std::visit([](const auto* place) { return *place != std::remove_cvref_t<decltype(*place)>{}; }, row.place);
}

std::string usual_value(const OptionRow& row) {
  return std::visit(
      [](const auto* place) -> std::string {
        using Value = std::remove_cvref_t<decltype(*place)>;
        if constexpr (std::is_same_v<Value, std::string>)
          return *place;
        else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>)
          return *place == Value{} ? "" : fmt::to_string(*place);
        return "";
      },
      row.place);
}

OneOf only_values(const OptionRow& row) {
  const auto* values = std::get_if<OneOf>(&row.form);
  return values ? *values : OneOf();
}

// Handles a file, or one with a text before or after it: "same-node=FILE", "FILE:fabric".
void find_shipped_file(std::string& word) {
  auto begin = word.find('=');
  begin = begin == std::string::npos ? 0 : begin + 1;
  const auto end = std::min(word.find(':', begin), word.size());
  const auto file = word.substr(begin, end - begin);
  word.replace(begin, end - begin, or_shipped(file, file));
}

void find_shipped_files(const std::vector<OptionRow>& rows) {
  constexpr std::array<std::string_view, 5> that_read{"--platform", "--platforms", "--fabrics", "--log", "--merge"};
  const auto writes = std::ranges::find(rows, "--write", &OptionRow::names);
  const bool overwrites = writes != rows.end() && *std::get<bool*>(writes->place); // the file that --merge names
  for (const auto& row : rows) {
    if ((!is_positional(row) && std::ranges::find(that_read, row.names) == that_read.end()) ||
        (overwrites && row.names == "--merge"))
      continue;
    if (auto* const* word = std::get_if<std::string*>(&row.place))
      find_shipped_file(**word);
    else if (auto* const* words = std::get_if<std::vector<std::string>*>(&row.place))
      std::ranges::for_each(**words, find_shipped_file);
  }
}

const std::string* text_of(const std::vector<OptionRow>& rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, &OptionRow::names);
  return row == rows.end() ? nullptr : std::get<std::string*>(row->place);
}

} // namespace kakehashi
