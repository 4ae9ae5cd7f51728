// A value of a platform → the shape in which a file states it. Readers, writers, schemas and searches for parameters
// know these few shapes; field_values.hpp makes them from the many types.
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
  std::function<bool(std::string_view)> read; // false: the text has not the expected form
  std::function<std::string()> write;
  std::string_view expected{};           // for messages; empty: any text will do
  std::string_view format{};             // of a quantity, for schemas
  std::vector<std::string_view> words{}; // all that there are; empty: no list limits it
  double* number = nullptr;              // of a quantity that is a real number
};

// A text for each kind of device. A file states one for all, or an object of some.
struct ByKind {
  std::vector<ValueText> texts; // in the order of the kinds
};

// An object inside an object.
struct Nested {
  Object object;
  std::vector<ValueText> as_one{}; // one text that may stand for all of its fields, if there is such a text
  bool is_one = false;             // whether it would state the same
};

using Value = std::variant<ValueText, int*, double*, bool*, std::vector<ValueText>, ByKind, Nested, Source*>;

} // namespace kakehashi
