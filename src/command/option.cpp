#include "command/option.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

namespace kakehashi {

OptionRows::OptionRows(std::string_view names, std::string meaning, OptionPlace place, OptionForm form) {
  constexpr std::string_view type_names[] = {"",     "",     "INT", "UINT", "FLOAT",
                                             "TEXT", "TEXT", "INT", "TEXT"}; // of places
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

const std::string* text_of(const std::vector<OptionRow>& rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, &OptionRow::names);
  return row == rows.end() ? nullptr : std::get<std::string*>(row->place);
}

} // namespace kakehashi
