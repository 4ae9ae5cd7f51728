// A value → one line of text, and back. Child processes send such lines to their parent, and result files keep them.
// Numbers come back bit by bit. A struct that is to be sent lists its members once:
//
//     struct Point {
//       Seconds time;
//       std::string name;
//       static constexpr auto fields(auto& self) {
//         auto& [time, name] = self; // compiles only with all members
//         return std::tie(time, name);
//       }
//     };
//
// The line has a field for each number and string, with tabs between them. The fields of a struct follow each other; a
// vector is its length and its elements; an optional is 0, or 1 and its value. Tabs, line ends, backslashes and zero
// bytes inside strings are escaped.
#pragma once

#include "base/number.hpp"
#include "base/units.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace kakehashi {

// Appends fields to a line.
class WireWriter {
public:
  void add(double number);
  void add(std::string_view text);
  template <std::integral T> void add(T number) { add_plain(std::to_string(number)); }
  template <class E>
  requires std::is_enum_v<E>
  void add(E value) { add(static_cast<std::underlying_type_t<E>>(value)); }
  template <class Unit> void add(Quantity<Unit> quantity) { add(quantity.value); }
  void add(Bytes size) { add(size.count); }
  template <class T> void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value)
      add(*value);
  }
  template <class T> void add(const std::vector<T>& values) {
    add(values.size());
    for (const auto& value : values)
      add(value);
  }
  template <class T>
  requires requires(const T& value) { T::fields(value); }
  void add(const T& value) {
    std::apply([&](const auto&... members) { (add(members), ...); }, T::fields(value));
  }

  std::string take() { return std::move(line_); }

private:
  void add_plain(std::string_view text);

  std::string line_;
  bool has_field_ = false;
};

// Takes the fields of a line one by one. Each `read` returns false if the field has another form, or there is none.
class WireReader {
public:
  explicit WireReader(std::string_view line) : rest_(line) {}

  bool read(double& number);
  bool read(std::string& text);
  bool read(bool& flag);
  template <std::integral T> bool read(T& number) {
    const auto field = next();
    const auto value = field ? number_in<T>(*field) : std::nullopt;
    number = value.value_or(number);
    return value.has_value();
  }
  template <class E>
  requires std::is_enum_v<E>
  bool read(E& value) {
    auto number = static_cast<std::underlying_type_t<E>>(value);
    const bool is_read = read(number);
    value = static_cast<E>(number);
    return is_read;
  }
  template <class Unit> bool read(Quantity<Unit>& quantity) { return read(quantity.value); }
  bool read(Bytes& size) { return read(size.count); }
  template <class T> bool read(std::optional<T>& value) {
    bool is_there = false;
    value.reset();
    return read(is_there) && (!is_there || read(value.emplace()));
  }
  template <class T> bool read(std::vector<T>& values) {
    std::size_t count = 0;
    if (!read(count))
      return false;
    values.clear();
    while (values.size() < count) // no room for more elements than are really there
      if (!read(values.emplace_back()))
        return false;
    return true;
  }
  template <class T>
  requires requires(T& value) { T::fields(value); }
  bool read(T& value) {
    return std::apply([&](auto&... members) { return (read(members) && ...); }, T::fields(value));
  }

  bool at_end() const { return !rest_; }

private:
  std::optional<std::string_view> next();

  std::optional<std::string_view> rest_; // nothing after the last field
};

// The line has no line end.
template <class T> std::string encode(const T& value) {
  WireWriter writer;
  writer.add(value);
  return writer.take();
}

// Returns nothing if the line has another form or further fields.
template <class T> std::optional<T> decode(std::string_view line) {
  WireReader reader(line);
  T value{};
  if (!reader.read(value) || !reader.at_end())
    return std::nullopt;
  return value;
}

} // namespace kakehashi
