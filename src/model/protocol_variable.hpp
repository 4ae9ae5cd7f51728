// The sizes at which MPI libraries change protocols → the variables that move these sizes, one row each in
// protocol_variable.cpp.
#pragma once

#include "base/units.hpp"
#include "model/platform.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace kakehashi {

// The changes: payloads no longer leave with their descriptor (short_ends); adapters read payloads in place instead of
// copies (copies_end); the receiver is asked first (eager_ends); long messages are divided over time or over adapters
// (parts); the rate falls, as at the end of a cache (slower); the bytes of messages in a stream, and no longer their
// number, limit its rate (bytes_pace).
enum class ProtocolChange { short_ends, copies_end, eager_ends, parts, slower, bytes_pace };
inline constexpr std::array<std::string_view, 6> protocol_change_names{"short-ends", "copies-end", "eager-ends",
                                                                       "parts",      "slower",     "bytes-pace"};

enum class LogScope { any, inside_node, between_nodes }; // where a log was measured; `any` if that is unknown

struct ProtocolVariable {
  ProtocolChange change; // copies may end where eager ends, too
  LogScope scope;
  std::string_view network;      // the link type that it is for; empty: any
  std::string_view library;      // the name that users know
  std::string_view family;       // prefix of the names of its decision tables; empty: several libraries use it
  std::string_view setting;      // with SIZE in place of the value
  std::optional<Bytes> standard; // the largest size before the change if nobody sets the variable; none: the library
                                 // chooses it at its start
};
std::span<const ProtocolVariable> protocol_variables();

} // namespace kakehashi
