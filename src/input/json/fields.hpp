// Typed reading of the fields of a JSON object that fits its schema. Faults are collected, not thrown.
#pragma once

#include "base/error.hpp"
#include "base/quantity_form.hpp"
#include "input/json/json_document.hpp"
#include "model/platform.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kakehashi {

template <class T> using TextForm = QuantityForm<T>;
inline constexpr auto& bytes_text = form_of<Bytes>;
inline constexpr auto& seconds_text = form_of<Seconds>;
inline constexpr auto& rate_text = form_of<BytesPerSecond>;
inline constexpr auto& per_byte_text = form_of<SecondsPerByte>;
inline constexpr auto& speed_text = form_of<FlopsPerSecond>;

// Collects the faults of one file.
class Faults {
public:
  explicit Faults(std::string file) : file_(std::move(file)) {}

  void add(const std::string& place, std::string message, std::string suggestion = "") {
    errors_.push_back(input_error(file_, place, std::move(message), std::move(suggestion)));
  }
  bool empty() const { return errors_.empty(); }
  const std::string& file() const { return file_; }
  Errors take() { return std::move(errors_); }

private:
  std::string file_;
  Errors errors_;
};

// Reads a quantity; nothing, with a fault, if the text has another form.
template <class T>
std::optional<T> read_quantity(const nlohmann::json& value, const std::string& place, const TextForm<T>& form,
                               Faults& faults) {
  const auto text = value.get<std::string>();
  const auto quantity = form.parse(text);
  if (!quantity)
    faults.add(place, mismatch(show(value), form.expected),
               near_quantity(text, [](std::string_view other) { return form_of<T>.parse(other).has_value(); }));
  return quantity;
}

// Reads the quantity at object[key], if the key exists.
template <class T>
std::optional<T> read_field(const nlohmann::json& object, const std::string& place, const char* key,
                            const TextForm<T>& form, Faults& faults) {
  if (!object.contains(key))
    return std::nullopt;
  return read_quantity(object[key], pointer_to(place, std::string(key)), form, faults);
}

// Returns the enumerator that object[key] names; the schema has checked the name.
template <class E, std::size_t N>
std::optional<E> read_name(const nlohmann::json& object, const char* key,
                           const std::array<std::string_view, N>& names) {
  if (!object.contains(key))
    return std::nullopt;
  const auto word = object[key].get<std::string>();
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == word)
      return static_cast<E>(i);
  return std::nullopt;
}

// Checks the name of a device, node or fabric: letters, digits, '-' and '_'.
inline bool check_name(const std::string& name, const std::string& place, Faults& faults) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  for (const char c : name)
    if (!allowed(c)) {
      faults.add(place, mismatch(in_quotes(name), "a name of letters, digits, '-' and '_'"));
      return false;
    }
  if (name.empty())
    faults.add(place, mismatch("an empty name", "a name of letters, digits, '-' and '_'"));
  return !name.empty();
}

// One JSON value for all kinds of devices, or an object with values for "any" kind and for some kinds → a value for
// each kind.

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
