// The fields that regimes, adjustments, peer limits and data sheets of links have in a platform file, one row each. Who
// reads, writes, describes or varies them goes by these tables.
#pragma once

#include "model/platform.hpp"

#include <span>
#include <variant>

namespace kakehashi {

template <class Owner>
using Member =
    std::variant<Bytes Owner::*, std::optional<Bytes> Owner::*, Seconds Owner::*, BytesPerSecond Owner::*,
                 std::optional<BytesPerSecond> Owner::*, std::optional<TransfersPerSecond> Owner::*,
                 PerKind<Seconds> Owner::*, PerKind<SecondsPerByte> Owner::*, int Owner::*, std::optional<int> Owner::*,
                 double Owner::*, std::string Owner::*, DeviceKind Owner::*, MemoryAccess Owner::*, LinkType Owner::*,
                 std::optional<LinkType> Owner::*, std::optional<Protocol> Owner::*,
                 std::optional<std::size_t> Owner::*, std::optional<Alignment> Owner::*, Source Owner::*>;

// Which way a number makes messages faster. `neither`: no number, or one that is not to be had better.
enum class Better { neither, less, more };

template <class Owner> struct Field {
  std::string_view name; // its key
  Member<Owner> member;  // what a default Owner has there stands if the key is left out
  std::string_view meaning;
  Better better = Better::neither;
  bool is_needed = false;
  std::optional<Side> core{};            // whose core spends it
  std::array<int, 2> range{};            // of a plain number: least and most
  std::vector<std::string_view> words{}; // that may stand there; of an index, its names
};

std::span<const Field<Regime>> regime_fields();
std::span<const Field<Alignment>> alignment_fields();
std::span<const Field<Adjustment>> adjustment_fields();
std::span<const Field<PeerLimit>> peer_limit_fields();
std::span<const Field<LinkRating>> rating_fields();

} // namespace kakehashi
