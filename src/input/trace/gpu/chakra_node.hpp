// A node of a Chakra execution trace (MLCommons), and readers of files of nodes.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// The numbers of Type are those of et_def.proto.
struct ChakraNode {
  enum Type { invalid, metadata, memory_load, memory_store, work, send, receive, collective };
  std::uint64_t id = 0;
  std::string name;
  std::uint64_t type = invalid;
  std::vector<std::uint64_t> waits_for; // data_deps
  std::uint64_t duration = 0;           // us
  std::string inputs;                   // values of a metadata node; they may list process groups

  // Optional attributes.
  bool is_on_host = false;                     // is_cpu_op
  std::optional<std::int64_t> collective_type; // comm_type
  std::optional<std::int64_t> size;            // comm_size
  std::optional<std::int64_t> source;
  std::optional<std::int64_t> target;
  std::int64_t tag = 0;
  std::int64_t stream = 0;
  std::int64_t operations = 0; // num_ops
  std::string group;           // pg_name
};

// Sets what the attribute `name` means for the node. Other attributes are ignored.
void set_attribute(ChakraNode& node, std::string_view name, std::int64_t number, std::string_view text);

// Returns the name without the point and zeros of a number, so that "0.0" is the group "0".
std::string group_name(std::string_view name);

using TakeNode = std::function<void(ChakraNode)>;

// Reads the protobuf form: each message follows its length. The first message is the trace's head, the others are
// nodes.
Errors read_chakra_binary(std::string_view bytes, const std::string& file, const TakeNode& take);
// Reads JSON: an object with an array "workload_graph", as Chakra's feeder does, or "nodes"; or nodes one after the
// other, as Chakra's jsonizer writes them. Keys may be those of the feeder or of et_def.proto, and attributes keys of
// the node or objects with a "name" in its list "attr".
Errors read_chakra_json(const std::string& text, const std::string& file, const TakeNode& take);

} // namespace kakehashi
