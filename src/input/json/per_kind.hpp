// One JSON value for all kinds of devices, or an object with values for "any" kind and for some kinds → a value for
// each kind.
#pragma once

#include "input/json/fields.hpp"
#include "model/platform.hpp"

namespace kakehashi {

// `read` turns a JSON value and its place into a value. Kinds without a value get `otherwise`.
template <class Value, class Read>
PerKind<Value> read_per_kind(const nlohmann::json& entry, const std::string& place, Value otherwise, Read read) {
  if (!entry.is_object())
    return all_kinds<Value>(read(entry, place));
  auto values = all_kinds<Value>(entry.contains("any") ? read(entry["any"], place + "/any") : otherwise);
  for (std::size_t kind = 0; kind < device_kind_count; ++kind)
    if (const std::string name(device_kind_names[kind]); entry.contains(name))
      values[kind] = read(entry[name], pointer_to(place, name));
  return values;
}

// The same for quantities in text.
template <class T>
PerKind<T> read_per_kind(const nlohmann::json& entry, const std::string& place, const TextForm<T>& form,
                         Faults& faults) {
  return read_per_kind(entry, place, T{}, [&](const nlohmann::json& value, const std::string& at) {
    return read_quantity(value, at, form, faults).value_or(T{});
  });
}

} // namespace kakehashi
