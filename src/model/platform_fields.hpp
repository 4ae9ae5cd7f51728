// The fields that the objects of a platform file have, one row each. Whoever reads, writes, describes or varies them
// goes by these tables. Lists of objects, and devices and algorithms by name, are no fields: their readers know them.
#pragma once

#include "model/platform.hpp"
#include "model/value.hpp"

#include <algorithm>
#include <cassert>
#include <typeinfo>

namespace kakehashi {

// How to reach a member of an owner, by functions that its type gives.
struct Member {
  template <class Owner, class T> Member(T Owner::*member); // in field_values.hpp

  const std::type_info* owner;
  std::function<Value(void* owner, const std::vector<std::string_view>& words)> value;
  std::function<bool(const void* owner)> is_stated;
  std::function<bool(const void* owner)> is_usual;
};

// Which way a number makes messages faster. `neither`: no number, or one that is not to be had better.
enum class Better { neither, less, more };

struct Field {
  std::string_view name; // its key
  Member member;
  std::string_view meaning;
  std::string_view left_out{}; // the meaning of its absence; empty: the field then has what a new owner has
  Better better = Better::neither;
  bool is_needed = false;
  bool is_positive = false;              // a size from 1 B on
  std::optional<Side> core{};            // whose core spends it
  std::array<int, 2> range{};            // of a plain number, or of the length of a text: least and most
  std::vector<std::string_view> words{}; // that may stand there, if not all of its type; of an index, its names

  // An owner must be of the type that the table is for. `value` begins what is optional and not stated.
  Value value_in(void* owner) const { return member.value(owner, words); }
  bool is_stated_in(const void* owner) const { return member.is_stated(owner); }
  bool is_usual_in(const void* owner) const { return member.is_usual(owner); } // as in a new owner
};

// The table of an object's fields, in the order of its schema.
template <class Owner> std::span<const Field> fields_of();
template <> std::span<const Field> fields_of<Source>();
template <> std::span<const Field> fields_of<Memory>();
template <> std::span<const Field> fields_of<Device>();
template <> std::span<const Field> fields_of<Capacity>();
template <> std::span<const Field> fields_of<Link>();
template <> std::span<const Field> fields_of<LinkRating>(); // they stand in the link's object
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

template <class Owner> Object object_of(Owner& owner) {
  const auto fields = fields_of<Owner>();
  assert(std::ranges::all_of(fields, [](const Field& field) { return *field.member.owner == typeid(Owner); }));
  return {fields, &owner};
}

template <class T>
concept Enumeration = std::is_enum_v<T>;

// The words of an enumeration in files, in its order. A stage calls its sides by its own keys.
template <Enumeration Enum> inline constexpr std::array<std::string_view, 0> words_of{};
template <> inline constexpr auto words_of<DeviceKind> = device_kind_names;
template <> inline constexpr auto words_of<MemoryAccess> = memory_access_names;
template <> inline constexpr auto words_of<GpuReductions> = gpu_reductions_names;
template <> inline constexpr auto words_of<MpiProgress> = progress_names;
template <> inline constexpr auto words_of<Protocol> = protocol_names;
template <> inline constexpr auto words_of<Scope> = scope_names;
template <> inline constexpr auto words_of<Selector> = selector_names;
template <> inline constexpr auto words_of<SourceKind> = source_kind_names;
template <> inline constexpr std::array<std::string_view, 2> words_of<Side>{"from", "to"};

} // namespace kakehashi
