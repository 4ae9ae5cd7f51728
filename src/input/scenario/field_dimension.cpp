// A field that varies: its place, and its values, listed or as a range.
#include "input/scenario/edits.hpp"
#include "input/scenario/scenario_parts.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

using nlohmann::json;

// Returns the number at a place of the document; null, with a fault, if there is none.
const json* find_number(const json& root, const std::string& pointer, const std::string& shown,
                        const std::string& place, Faults& faults) {
  const json* at = &root;
  for (std::size_t begin = 0; begin < pointer.size();) {
    const auto end = std::min(pointer.find('/', begin + 1), pointer.size());
    const auto step = json::json_pointer(pointer.substr(begin, end - begin)).back();
    const auto index = at->is_array() ? index_of(step) : std::nullopt;
    const bool is_index = index && *index < at->size();
    if (!is_index && !(at->is_object() && at->contains(step))) {
      std::vector<std::string> names;
      if (at->is_object())
        for (const auto& [key, value] : at->items())
          names.push_back(key);
      faults.add(place,
                 mismatch(fmt::format("{}, but there is no {} in {}", in_quotes(shown), in_quotes(step),
                                      begin == 0 ? "the file" : pointer.substr(0, begin)),
                          "a number or quantity of the file"),
                 closest(step, names));
      return nullptr;
    }
    at = is_index ? &(*at)[*index] : &(*at)[step];
    begin = end;
  }
  if (!at->is_number() && !at->is_string()) {
    faults.add(place, mismatch(fmt::format("{}, which is {}", in_quotes(shown), show(*at)),
                               "a number or quantity of the file"));
    return nullptr;
  }
  return at;
}

bool is_pointer(const std::string& text) {
  if (text.empty() || text.front() != '/')
    return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')))
      return false;
  return true;
}

// How the ends of a range are read, and the unit in which they are written.
struct RangeUnit {
  std::optional<double> (*read)(std::string_view text);
  std::string_view unit;
};

double number_of(Bytes size) {
  return static_cast<double>(size.count);
}
template <class Unit> double number_of(Quantity<Unit> quantity) {
  return quantity.value;
}

template <class T> std::optional<double> read_scaled(std::string_view text) {
  const auto quantity = form_of<T>.parse(text);
  if (!quantity)
    return std::nullopt;
  return number_of(*quantity) * form_of<T>.scale;
}
template <class... T> constexpr std::array<RangeUnit, sizeof...(T)> units_of() {
  return {RangeUnit{read_scaled<T>, form_of<T>.unit}...};
}
constexpr auto range_units =
    units_of<Bytes, Seconds, BytesPerSecond, SecondsPerByte, TransfersPerSecond, FlopsPerSecond>();

struct Ends {
  double from = 0;
  double to = 0;
  std::string_view unit; // empty: they are plain numbers
};

std::optional<Ends> read_ends(const json& range) {
  if (range["from"].is_number() && range["to"].is_number())
    return Ends{range["from"].get<double>(), range["to"].get<double>(), ""};
  if (range["from"].is_string() && range["to"].is_string())
    for (const auto& [read, unit] : range_units) {
      const auto from = read(range["from"].get<std::string>());
      const auto to = read(range["to"].get<std::string>());
      if (from && to)
        return Ends{*from, *to, unit};
    }
  return std::nullopt;
}

json range_value(double number, std::string_view unit, bool is_whole) {
  if (unit == "B")
    return fmt::format("{} B", std::llround(number));
  if (!unit.empty())
    return fmt::format("{:.9g} {}", number, unit);
  if (is_whole)
    return std::llround(number);
  return number;
}

std::vector<json> read_range(const json& range, bool is_whole, const std::string& place, Faults& faults) {
  const auto ends = read_ends(range);
  const bool is_geometric = range.value("spacing", "linear") == "geometric";
  std::vector<json> values;
  if (range.value("spacing", "linear") != "linear" && !is_geometric)
    return values;
  if (!ends) {
    faults.add(place, mismatch(fmt::format("{} to {}", show(range["from"]), show(range["to"])),
                               "two numbers, or two quantities of one kind"));
    return values;
  }
  if (is_geometric && (ends->from <= 0 || ends->to <= 0)) {
    faults.add(place, mismatch("0 as an end of a geometric range", "ends above 0"));
    return values;
  }
  const auto count = range["count"].get<std::size_t>();
  is_whole = is_whole && range["from"].is_number_integer() && range["to"].is_number_integer();
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    const double number = i + 1 == count ? ends->to
                          : is_geometric ? ends->from * std::pow(ends->to / ends->from, share)
                                         : ends->from + (ends->to - ends->from) * share;
    auto value = range_value(number, ends->unit, is_whole);
    if (values.empty() || values.back() != value) // rounding may make whole numbers equal
      values.push_back(std::move(value));
  }
  return values;
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

} // namespace

std::string meaning_of(const json& value) {
  if (value.is_number())
    return fmt::format("{:.14g}", value.get<double>());
  if (value.is_string())
    for (const auto& [read, unit] : range_units)
      if (const auto number = read(value.get_ref<const std::string&>())) // a number of bytes may lack its unit
        return fmt::format("{:.14g}{}", *number, unit == "B" ? "" : unit);
  return text_of(value);
}

std::optional<Dimension> read_field_dimension(const json& entry, const std::string& place, const json& scenario,
                                              const json& platform, Faults& faults) {
  Dimension dimension;
  dimension.place = place;
  dimension.name = entry["field"].get<std::string>();
  dimension.is_in_platform = dimension.name.starts_with(platform_prefix);
  const auto pointer = dimension.is_in_platform ? dimension.name.substr(platform_prefix.size()) : dimension.name;
  if (entry.contains("values") == entry.contains("range"))
    faults.add(place,
               mismatch(entry.contains("values") ? "both \"values\" and \"range\"" : "neither \"values\" nor \"range\"",
                        "exactly one"));
  const auto at = place + "/field";
  if (!is_pointer(pointer)) {
    faults.add(at, mismatch(in_quotes(dimension.name),
                            "a JSON pointer such as /workload/sizes/0 or platform:/fabrics/ib/rules/0/regimes/0/cap"));
    return std::nullopt;
  }
  const json* now = find_number(dimension.is_in_platform ? platform : scenario, pointer, dimension.name, at, faults);
  if (!now)
    return std::nullopt;
  dimension.pointer = json::json_pointer(pointer);
  if (!dimension.is_in_platform && !pointer.starts_with("/workload/") && !pointer.starts_with("/mpi/") &&
      !pointer.starts_with("/what_if/") && pointer != "/fabric") {
    faults.add(at, mismatch(in_quotes(dimension.name),
                            "a field of \"workload\", \"mpi\" or \"what_if\", or \"/fabric\"; ranks vary by "
                            "order, devices or per_device"));
    return std::nullopt;
  }
  if (entry.contains("values"))
    for (std::size_t i = 0; i < entry["values"].size(); ++i)
      dimension.values.push_back({text_of(entry["values"][i]), pointer_to(place + "/values", i), entry["values"][i]});
  else if (entry.contains("range"))
    for (auto& value : read_range(entry["range"], !now->is_number_float(), place + "/range", faults))
      dimension.values.push_back({text_of(value), place + "/range", value});
  return dimension;
}

} // namespace kakehashi
