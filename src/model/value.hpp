// A value of a platform → the form in which a file states it. Readers, writers, schemas and searches for parameters
// know these few forms; field_values.hpp makes them from the many types of members.
#pragma once

#include "model/device_kind.hpp"
#include "model/source.hpp"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kakehashi {

struct Field;

// An object whose fields a table lists. It refers to its owner; object_of in platform_fields.hpp makes it.
struct Object {
  std::span<const Field> fields;
  void* owner;
};

// A quantity, a word or any other text.
struct ValueText {
  std::function<bool(std::string_view)> read; // false: the text has another form
  std::function<std::string()> write;
  std::string_view expected{};           // for messages; empty: any text is valid
  std::string_view format{};             // name of a quantity's form in schemas
  std::vector<std::string_view> words{}; // all valid words; empty: no list limits them
  double* number = nullptr;              // the number of a quantity that is real
};

// A text for each kind of device. A file states one for all kinds, or an object with some of them.
struct ByKind {
  std::vector<ValueText> texts; // in the order of the kinds
};

// An object inside an object.
struct Nested {
  Object object;
  std::vector<ValueText> as_one{}; // one text that may stand for all fields, if there is such a text
  bool is_one = false;             // whether that one text states the present values
};

using Value = std::variant<ValueText, int*, double*, bool*, std::vector<ValueText>, ByKind, Nested, Source*>;

} // namespace kakehashi
