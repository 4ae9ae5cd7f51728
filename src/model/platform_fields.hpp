// The fields of the objects in a platform file, one row each. The code that reads, writes, describes or varies them
// uses these tables. Lists of objects, and devices and algorithms that are named, are not fields; their readers know
// them.
#pragma once

#include "model/device_kind.hpp"
#include "model/platform.hpp"
#include "model/source.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <variant>
#include <vector>

namespace kakehashi {

// A value of a platform → the form in which a file states it. Readers, writers, schemas and searches for parameters
// know these few forms; field_values.hpp makes them from the many types of members.
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
  std::string_view expected{};           // what messages expect; empty: any text is valid
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

// A pointer to a member whose type is hidden behind functions.
struct Member {
  template <class Owner, class T> Member(T Owner::*member); // in field_values.hpp

  const std::type_info* owner;
  std::function<Value(void* owner, const std::vector<std::string_view>& words)> value;
  std::function<bool(const void* owner)> is_stated;
  std::function<bool(const void* owner)> is_usual;
};

// The direction in which a number makes messages faster. `neither`: it is no number, or no machine has a better one.
enum class Better { neither, less, more };

struct Field {
  std::string_view name; // its key
  Member member;
  std::string_view meaning;
  std::string_view left_out{}; // what its absence means; empty: the field has the value that a new owner has
  Better better = Better::neither;
  bool is_needed = false;
  bool is_positive = false;              // the size is at least 1 B
  std::optional<Side> core{};            // the core that spends this time
  std::array<int, 2> range{};            // least and most, of a plain number or of a text's length
  std::vector<std::string_view> words{}; // the words that it may have, if not all of its type; of an index, its names

  // The owner must have the type that the table is for. value_in() creates an optional value that is not stated.
  Value value_in(void* owner) const { return member.value(owner, words); }
  bool is_stated_in(const void* owner) const { return member.is_stated(owner); }
  // Whether the value is that of a new owner.
  bool is_usual_in(const void* owner) const { return member.is_usual(owner); }
};

// The table of an object's fields, in the order of its schema.
template <class Owner> std::span<const Field> fields_of();
template <> std::span<const Field> fields_of<Source>();
template <> std::span<const Field> fields_of<Memory>();
template <> std::span<const Field> fields_of<ComputeSheet>();
template <> std::span<const Field> fields_of<MemoryPart>();
template <> std::span<const Field> fields_of<Device>();
template <> std::span<const Field> fields_of<Capacity>();
template <> std::span<const Field> fields_of<Link>();
template <> std::span<const Field> fields_of<LinkRating>(); // these are keys of the link's object
template <> std::span<const Field> fields_of<PeerLimit>();
template <> std::span<const Field> fields_of<Alignment>();
template <> std::span<const Field> fields_of<Fetch>();
template <> std::span<const Field> fields_of<Regime>();
template <> std::span<const Field> fields_of<Rule>();
template <> std::span<const Field> fields_of<Adjustment>();
template <> std::span<const Field> fields_of<Stage>();
template <> std::span<const Field> fields_of<Fabric>();
template <> std::span<const Field> fields_of<MpiSettings>();
template <> std::span<const Field> fields_of<AlgorithmChoice>();
template <> std::span<const Field> fields_of<GpuLibraryChoice>();

template <class Owner> Object object_of(Owner& owner) {
  const auto fields = fields_of<Owner>();
  assert(std::ranges::all_of(fields, [](const Field& field) { return *field.member.owner == typeid(Owner); }));
  return {fields, &owner};
}

template <class T>
concept Enumeration = std::is_enum_v<T>;

// The words of an enumeration in files, in its order. The two sides are the keys of a stage.
template <Enumeration Enum> inline constexpr std::array<std::string_view, 0> words_of{};
template <> inline constexpr auto words_of<DeviceKind> = device_kind_names;
template <> inline constexpr auto words_of<MemoryAccess> = memory_access_names;
template <> inline constexpr auto words_of<GpuReductions> = gpu_reductions_names;
template <> inline constexpr auto words_of<MemoryPolicy> = memory_policy_names;
template <> inline constexpr auto words_of<MpiProgress> = progress_names;
template <> inline constexpr auto words_of<Protocol> = protocol_names;
template <> inline constexpr auto words_of<Scope> = scope_names;
template <> inline constexpr auto words_of<Selector> = selector_names;
template <> inline constexpr auto words_of<SourceKind> = source_kind_names;
template <> inline constexpr std::array<std::string_view, 2> words_of<Side>{"from", "to"};

} // namespace kakehashi
