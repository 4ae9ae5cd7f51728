// Sizes at which protocols of MPI libraries change → the variables that move them, one row each in
// protocol_variable.cpp.
#pragma once

#include "base/units.hpp"
#include "model/platform.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace kakehashi {

// Short messages end: payloads no longer leave with their descriptor. Copies end: adapters read payloads where they
// are. Eager ends: the receiver is asked first. Parts: long messages are divided, over time or over adapters. Slower:
// the rate falls, as where a cache ends. Bytes pace: in a stream of messages no longer their number counts, but their
// bytes.
enum class ProtocolChange { short_ends, copies_end, eager_ends, parts, slower, bytes_pace };
inline constexpr std::array<std::string_view, 6> protocol_change_names{"short-ends", "copies-end", "eager-ends",
                                                                       "parts",      "slower",     "bytes-pace"};

enum class LogScope { any, inside_node, between_nodes }; // of a log, of which nothing else may be known

struct ProtocolVariable {
  ProtocolChange change; // where eager ends, copies may end, too
  LogScope scope;
  std::string_view network;      // link type that it is for; empty: any
  std::string_view library;      // as users call it
  std::string_view family;       // how the names of its collectives' tables begin; empty: of several libraries
  std::string_view setting;      // with SIZE in the value's place
  std::optional<Bytes> standard; // the largest size below it if nobody sets it; none: chosen at start
};
std::span<const ProtocolVariable> protocol_variables();

} // namespace kakehashi
