// The type of a member → the form in which a file states its value. Only the tables of fields include this.
#pragma once

#include "base/quantity_form.hpp"
#include "base/text.hpp"
#include "model/platform_fields.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace kakehashi {

using Words = std::vector<std::string_view>;

template <class Unit> ValueText value_of(Quantity<Unit>& quantity, const Words&) {
  constexpr auto& form = form_of<Quantity<Unit>>;
  return {.read =
              [&quantity](std::string_view text) {
                const auto read = form.parse(text);
                quantity = read.value_or(quantity);
                return read.has_value();
              },
          .write = [&quantity] { return fmt::format("{} {}", four_digits(quantity.value * form.scale), form.unit); },
          .expected = form.expected,
          .format = form.format,
          .number = &quantity.value};
}

inline ValueText value_of(Bytes& size, const Words&) {
  constexpr auto& form = form_of<Bytes>;
  return {.read =
              [&size](std::string_view text) {
                const auto read = form.parse(text);
                size = read.value_or(size);
                return read.has_value();
              },
          .write = [&size] { return to_text(size); },
          .expected = form.expected,
          .format = form.format};
}

inline ValueText value_of(std::string& text, const Words&) {
  return {.read =
              [&text](std::string_view read) {
                text = read;
                return true;
              },
          .write = [&text] { return text; }};
}

template <Enumeration Enum> ValueText value_of(Enum& value, const Words&) {
  return {.read =
              [&value](std::string_view word) {
                const auto read = from_name<Enum>(words_of<Enum>, word);
                value = read.value_or(value);
                return read.has_value();
              },
          .write = [&value] { return std::string(name_of(words_of<Enum>, value)); },
          .words = {words_of<Enum>.begin(), words_of<Enum>.end()}};
}

inline ValueText value_of(LinkType& type, const Words&) {
  Words words;
  for (const auto& row : link_types())
    words.push_back(row.name);
  return {.read =
              [&type](std::string_view word) {
                const auto read = find_link_type(word);
                type = read.value_or(type);
                return read.has_value();
              },
          .write = [&type] { return std::string(name_of(type)); },
          .words = std::move(words)};
}

inline ValueText value_of(GpuRelease& release, const Words&) {
  return {.read =
              [&release](std::string_view text) {
                const auto read = parse_gpu_release(text);
                release = read.value_or(release);
                return read.has_value();
              },
          .write = [&release] { return to_text(release); },
          .expected = "a release, such as \"2.27\" or \"2.27.3\""};
}

// An index is stated as one of the field's words.
inline ValueText value_of(std::size_t& index, const Words& words) {
  return {.read =
              [&index, &words](std::string_view word) {
                const auto found = std::find(words.begin(), words.end(), word);
                if (found == words.end())
                  return false;
                index = static_cast<std::size_t>(found - words.begin());
                return true;
              },
          .write = [&index, &words] { return std::string(words[index]); },
          .words = words};
}

// Stated as "sender", or "sender.cpu0".
inline ValueText value_of(StageEnd& end, const Words&) {
  return {
      .read =
          [&end](std::string_view text) {
            const auto dot = std::min(text.find('.'), text.size());
            const auto side = from_name<Side>(side_names, text.substr(0, dot));
            if (!side || dot + 1 == text.size())
              return false;
            end = {*side, std::string(dot < text.size() ? text.substr(dot + 1) : "")};
            return true;
          },
      .write =
          [&end] { return std::string(name_of(side_names, end.side)) + (end.device.empty() ? "" : "." + end.device); },
      .expected = "sender, receiver, or a device of their nodes such as \"sender.cpu0\""};
}

inline int* value_of(int& value, const Words&) {
  return &value;
}
inline double* value_of(double& value, const Words&) {
  return &value;
}
inline bool* value_of(bool& value, const Words&) {
  return &value;
}
inline Source* value_of(Source& value, const Words&) {
  return &value;
}
template <class Unit> ByKind value_of(PerKind<Quantity<Unit>>& values, const Words& words) {
  ByKind by_kind;
  for (auto& value : values)
    by_kind.texts.push_back(value_of(value, words));
  return by_kind;
}
inline std::vector<ValueText> value_of(std::array<DeviceKind, 2>& kinds, const Words& words) {
  return {value_of(kinds[0], words), value_of(kinds[1], words)};
}

inline Nested value_of(Capacity& capacity, const Words& words) {
  auto both = value_of(capacity.forward, words);
  both.read = [&capacity, read = both.read](std::string_view text) {
    const bool is_read = read(text);
    capacity.backward = is_read ? capacity.forward : capacity.backward;
    return is_read;
  };
  return {object_of(capacity), {std::move(both)}, capacity.forward == capacity.backward};
}
inline Nested value_of(Alignment& value, const Words&) {
  return {object_of(value)};
}
inline Nested value_of(Fetch& value, const Words&) {
  return {object_of(value)};
}
inline Nested value_of(ComputeSheet& value, const Words&) {
  return {object_of(value)};
}
inline Nested value_of(Memory& value, const Words&) {
  return {object_of(value)};
}

template <class T> T& begun(T& value) {
  return value;
}
template <class T> T& begun(std::optional<T>& value) {
  return value ? *value : value.emplace();
}
template <class T> constexpr bool has_value(const T&) {
  return true;
}
template <class T> bool has_value(const std::optional<T>& value) {
  return value.has_value();
}

template <class Owner, class T>
Member::Member(T Owner::*member)
    : owner(&typeid(Owner)), value([member](void* of, const Words& words) -> Value {
        return value_of(begun(static_cast<Owner*>(of)->*member), words);
      }),
      is_stated([member](const void* of) { return has_value(static_cast<const Owner*>(of)->*member); }),
      is_usual([member](const void* of) { return static_cast<const Owner*>(of)->*member == Owner{}.*member; }) {}

} // namespace kakehashi
