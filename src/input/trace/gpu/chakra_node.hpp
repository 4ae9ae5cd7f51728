// A node of a Chakra execution trace (MLCommons), and readers of files of nodes.
#pragma once

#include "base/error.hpp"
#include "base/stream.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kakehashi {

// A message in protobuf's wire format → its fields, one after the other. No schema is needed or checked.
class ProtobufReader {
public:
  struct Field {
    enum class Kind { number, bytes, fixed32, fixed64 };
    std::uint64_t id = 0;
    Kind kind = Kind::number;
    std::uint64_t number = 0; // the number in all kinds but bytes
    std::string_view bytes;   // a text, a message, or a packed list
  };

  explicit ProtobufReader(std::string_view bytes) : bytes_(bytes) {}

  // Returns the next field; nothing at the end, or if the bytes are no field.
  std::optional<Field> next();
  // Reads a number in the form of a length, without a field's head.
  std::optional<std::uint64_t> take_number();
  std::optional<std::string_view> take_bytes(std::uint64_t count);
  bool at_end() const { return place_ == bytes_.size(); }
  std::size_t place() const { return place_; }
  bool is_damaged() const { return is_damaged_; }

private:
  std::optional<std::uint64_t> take_fixed(std::size_t bytes);

  std::string_view bytes_;
  std::size_t place_ = 0;
  bool is_damaged_ = false;
};

// Appends the numbers of a repeated field, which may be one per field or packed. Returns false if it is cut.
bool append_numbers(const ProtobufReader::Field& field, std::vector<std::uint64_t>& numbers);

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

// Process groups of PyTorch, which metadata nodes of traces or a file state → the ranks of each group.
class ChakraGroups {
public:
  explicit ChakraGroups(int ranks);

  // Reads {"1": [0, 1], …}.
  Errors add_file(const std::string& file);
  // Reads the inputs of a metadata node, which may contain a list [{"pg_name": "1", "ranks": [0, 1]}, …]. A group
  // without ranks has all ranks. Other inputs are ignored.
  void add_inputs(const std::string& text);

  // Returns the group's place in the list; without a name, that of all ranks. Nothing: the group is unknown.
  std::optional<std::size_t> find(const std::string& name) const;
  // Whether nothing states groups, and this is the name that PyTorch gives to the group of all ranks.
  bool is_default(const std::string& name) const;
  // A group that has different ranks in different places, if there is one.
  const std::optional<std::string>& contradiction() const { return contradiction_; }
  const std::vector<RankGroup>& list() const { return groups_; } // the group of all ranks comes first

private:
  void add(const std::string& name, std::vector<int> members);

  int ranks_;
  std::vector<RankGroup> groups_;
  std::unordered_map<std::string, std::size_t> places_;
  std::optional<std::string> contradiction_;
};

} // namespace kakehashi
