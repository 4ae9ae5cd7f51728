// Values of findings → values in a report's tree.
#pragma once

#include "base/units.hpp"
#include "writer/number_form.hpp"

#include <nlohmann/json.hpp>

namespace kakehashi {

using Json = nlohmann::ordered_json;

inline double rounded_us(Seconds time) {
  return rounded(in_microseconds(time));
}

// Makes a list with an entry for each element.
template <class Range, class Make> Json json_list(const Range& range, const Make& make) {
  Json list = Json::array();
  for (const auto& each : range)
    list.push_back(make(each));
  return list;
}

// Adds a number if there is one, and text or a list if it is not empty.
inline void add_if_any(Json& json, const char* key, const std::optional<double>& number) {
  if (number)
    json[key] = rounded(*number);
}
inline void add_if_any(Json& json, const char* key, const auto& list) {
  if (!list.empty())
    json[key] = list;
}

} // namespace kakehashi
