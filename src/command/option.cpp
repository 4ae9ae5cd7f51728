#include "command/option.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

namespace kakehashi {

OptionRows help_row() {
  return {"-h,--help", "Print this help message and exit", static_cast<bool*>(nullptr)};
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
  return std::holds_alternative<bool*>(row.place) || std::holds_alternative<std::optional<bool>*>(row.place);
}

bool is_number(const OptionRow& row) {
  const auto name = value_name(row);
  return name == "INT" || name == "UINT" || name == "FLOAT";
}

namespace {

struct ValueName {
  const OptionForm& form;

  std::string_view operator()(const bool*) const { return ""; }
  std::string_view operator()(const std::optional<bool>*) const { return ""; }
  std::string_view operator()(const int*) const { return "INT"; }
  std::string_view operator()(const std::vector<int>*) const { return "INT"; }
  std::string_view operator()(const std::size_t*) const { return "UINT"; }
  std::string_view operator()(const double*) const { return "FLOAT"; }
  std::string_view operator()(const auto*) const {
    const auto* text = std::get_if<AnyText>(&form);
    const auto* item = std::get_if<Repeated>(&form);
    return text ? text->name : item ? item->name : "TEXT";
  }
};

} // namespace

std::string value_name(const OptionRow& row) {
  return std::string(std::visit(ValueName{row.form}, row.place));
}

std::string usual_value(const OptionRow& row) {
  if (is_flag(row))
    return "";
  return std::visit(
      [](const auto* place) -> std::string {
        using Value = std::remove_cvref_t<decltype(*place)>;
        if constexpr (std::is_same_v<Value, std::string>)
          return *place;
        else if constexpr (std::is_arithmetic_v<Value>)
          return *place == Value{} ? "" : fmt::to_string(*place);
        else
          return "";
      },
      row.place);
}

std::vector<std::string> only_values(const OptionRow& row) {
  const auto* names = std::get_if<OneOf>(&row.form);
  return names ? names->names : std::vector<std::string>();
}

const std::string* text_of(const std::vector<OptionRow>& rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, &OptionRow::names);
  return row == rows.end() ? nullptr : std::get<std::string*>(row->place);
}

} // namespace kakehashi
