// The fields that the objects of a platform file have, one row each. Who reads, writes, describes or varies them goes
// by these tables. What is no plain field (lists of objects, devices and algorithms by name) is its reader's.
#pragma once

#include "model/platform.hpp"

#include <span>
#include <variant>

namespace kakehashi {

template <class Owner>
using Member = std::variant<
    Bytes Owner::*, std::optional<Bytes> Owner::*, Seconds Owner::*, std::optional<BytesPerSecond> Owner::*,
    BytesPerSecond Owner::*, std::optional<PerKind<SecondsPerByte>> Owner::*, std::optional<Seconds> Owner::*,
    std::optional<TransfersPerSecond> Owner::*, std::optional<Capacity> Owner::*, PerKind<Seconds> Owner::*,
    PerKind<SecondsPerByte> Owner::*, int Owner::*, std::optional<int> Owner::*, double Owner::*, bool Owner::*,
    std::string Owner::*, std::optional<std::size_t> Owner::*, DeviceKind Owner::*, std::optional<DeviceKind> Owner::*,
    std::optional<std::array<DeviceKind, 2>> Owner::*, MemoryAccess Owner::*, LinkType Owner::*,
    std::optional<LinkType> Owner::*, std::optional<Protocol> Owner::*, std::optional<Scope> Owner::*,
    std::optional<Selector> Owner::*, Side Owner::*, StageEnd Owner::*, std::optional<Alignment> Owner::*,
    std::optional<Memory> Owner::*, SourceKind Owner::*, Source Owner::*>;

// Which way a number makes messages faster. `neither`: no number, or one that is not to be had better.
enum class Better { neither, less, more };

template <class Owner> struct Field {
  std::string_view name; // its key
  Member<Owner> member;
  std::string_view meaning;
  std::string_view left_out{}; // what that means; empty: what a new Owner has there stands
  Better better = Better::neither;
  bool is_needed = false;
  bool is_positive = false;              // a size from 1 B on
  std::optional<Side> core{};            // whose core spends it
  std::array<int, 2> range{};            // of a plain number, or of the length of a text: least and most
  std::vector<std::string_view> words{}; // that may stand there, if not all of its type; of an index, its names
};

// The table of an object's fields, in the order of its schema.
template <class Owner> std::span<const Field<Owner>> fields_of();
template <> std::span<const Field<Source>> fields_of<Source>();
template <> std::span<const Field<Memory>> fields_of<Memory>();
template <> std::span<const Field<Device>> fields_of<Device>();
template <> std::span<const Field<Capacity>> fields_of<Capacity>();
template <> std::span<const Field<Link>> fields_of<Link>();
template <> std::span<const Field<LinkRating>> fields_of<LinkRating>(); // they stand in the link's object
template <> std::span<const Field<PeerLimit>> fields_of<PeerLimit>();
template <> std::span<const Field<Alignment>> fields_of<Alignment>();
template <> std::span<const Field<Regime>> fields_of<Regime>();
template <> std::span<const Field<Rule>> fields_of<Rule>();
template <> std::span<const Field<Adjustment>> fields_of<Adjustment>();
template <> std::span<const Field<Stage>> fields_of<Stage>();
template <> std::span<const Field<Fabric>> fields_of<Fabric>();
template <> std::span<const Field<MpiSettings>> fields_of<MpiSettings>();
template <> std::span<const Field<AlgorithmChoice>> fields_of<AlgorithmChoice>();

template <class T>
concept Enumeration = std::is_enum_v<T>;

// The words of an enumeration in files, in its order. A stage calls its sides by its own keys.
template <Enumeration Enum> inline constexpr std::array<std::string_view, 0> words_of{};
template <> inline constexpr auto words_of<DeviceKind> = device_kind_names;
template <> inline constexpr auto words_of<MemoryAccess> = memory_access_names;
template <> inline constexpr auto words_of<Protocol> = protocol_names;
template <> inline constexpr auto words_of<Scope> = scope_names;
template <> inline constexpr auto words_of<Selector> = selector_names;
template <> inline constexpr auto words_of<SourceKind> = source_kind_names;
template <> inline constexpr std::array<std::string_view, 2> words_of<Side>{"from", "to"};

} // namespace kakehashi
