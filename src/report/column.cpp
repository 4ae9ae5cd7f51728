#include "report/column.hpp"

#include "writer/number_form.hpp"

#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

// Writes a number for people; never "-0.0".
std::string number_text(double value, Unit unit, int digits) {
  if (unit == Unit::change)
    return signed_percent(value);
  if (unit == Unit::rounded)
    return four_digits(value);
  const double shown = unit == Unit::share ? 100 * value : unit == Unit::megabytes ? value / 1e6 : value;
  auto text = fmt::format("{:.{}f}", shown, digits);
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-'))
    text.erase(0, 1);
  return unit == Unit::share ? text + " %" : text;
}

struct TextOf {
  Unit unit;
  int digits;
  double per;
  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(bool yes) const { return yes ? "yes" : ""; }
  std::string operator()(std::uint64_t count) const {
    return unit == Unit::size   ? to_text(Bytes{count})
           : unit == Unit::none ? std::to_string(count)
                                : (*this)(static_cast<double>(count));
  }
  std::string operator()(double number) const { return number_text(number / per, unit, digits); }
  std::string operator()(const std::string& text) const { return text; }
};

} // namespace

ListedCell cell_of(const Datum& datum, const Form& form) {
  ListedCell cell(datum.text ? *datum.text : std::visit(TextOf{form.unit, form.digits, form.per}, datum.is));
  if (const auto* number = std::get_if<double>(&datum.is)) {
    cell.value = rounded(*number);
    cell.in_csv = fmt::format(fmt::runtime(form.in_csv), *number);
  } else if (const auto* count = std::get_if<std::uint64_t>(&datum.is)) {
    cell.value = static_cast<double>(*count);
    cell.in_csv = std::to_string(*count);
  } else if (const auto* yes = std::get_if<bool>(&datum.is)) {
    cell.in_csv = *yes ? "yes" : "no";
  } else {
    const auto* text = std::get_if<std::string>(&datum.is);
    cell.in_csv = text ? *text : "";
  }
  return cell;
}

void add_value(const std::string& key, const Datum& datum, nlohmann::ordered_json& json) {
  if (const auto* number = std::get_if<double>(&datum.is))
    json[key] = rounded(*number);
  else if (const auto* count = std::get_if<std::uint64_t>(&datum.is))
    json[key] = *count;
  else if (const auto* yes = std::get_if<bool>(&datum.is))
    json[key] = *yes;
  else if (const auto* text = std::get_if<std::string>(&datum.is))
    json[key] = *text;
}

} // namespace kakehashi
