#include "input/trace/gpu/chakra_node.hpp"

#include "base/number.hpp"
#include "input/json/json_document.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kakehashi {
namespace {

using Field = ProtobufReader::Field;

struct AttributeValue {
  std::int64_t number = 0;
  std::string_view text;
};

std::int64_t rounded(double value) {
  constexpr double largest = 9e18;
  return value > -largest && value < largest ? static_cast<std::int64_t>(value) : 0;
}

// Reads a number from its field: 3 double, 5 float, 15 and 17 with the sign in the last bit, 29 text.
AttributeValue value_of(const Field& field) {
  switch (field.id) {
  case 3: return {rounded(std::bit_cast<double>(field.number)), {}};
  case 5: return {rounded(std::bit_cast<float>(static_cast<std::uint32_t>(field.number))), {}};
  case 15:
  case 17: return {static_cast<std::int64_t>(field.number >> 1U) ^ -static_cast<std::int64_t>(field.number & 1U), {}};
  case 29: return {0, field.bytes};
  default: return {static_cast<std::int64_t>(field.number), {}};
  }
}

bool read_attribute(std::string_view bytes, ChakraNode& node) {
  ProtobufReader reader(bytes);
  std::string_view name;
  AttributeValue value;
  while (const auto field = reader.next())
    if (field->id == 1)
      name = field->bytes;
    else if (field->id > 2)
      value = value_of(*field);
  if (!reader.is_damaged())
    set_attribute(node, name, value.number, value.text);
  return !reader.is_damaged();
}

bool read_inputs(std::string_view bytes, ChakraNode& node) {
  ProtobufReader reader(bytes);
  while (const auto field = reader.next())
    if (field->id == 1 && node.type == ChakraNode::metadata)
      node.inputs = field->bytes;
  return !reader.is_damaged();
}

bool read_node(std::string_view bytes, ChakraNode& node) {
  ProtobufReader reader(bytes);
  std::string_view inputs;
  bool is_whole = true;
  while (const auto field = reader.next()) {
    switch (field->id) {
    case 1: node.id = field->number; break;
    case 2: node.name = field->bytes.substr(0, 200); break;
    case 3: node.type = field->number; break;
    case 5: is_whole = append_numbers(*field, node.waits_for) && is_whole; break;
    case 7: node.duration = field->number; break;
    case 8: inputs = field->bytes; break;
    case 10: is_whole = read_attribute(field->bytes, node) && is_whole; break;
    default: break;
    }
  }
  return is_whole && !reader.is_damaged() && read_inputs(inputs, node);
}

using nlohmann::json;

// Returns a number of the node; nothing if it has none. Texts may contain numbers, as in protobuf's JSON those of 64
// bits are.
std::optional<std::int64_t> integer_in(const json& value) {
  if (value.is_boolean())
    return value.get<bool>() ? 1 : 0;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)
    return INT64_MAX;
  if (value.is_number_float())
    return rounded(value.get<double>());
  if (value.is_string())
    return number_in<std::int64_t>(value.get_ref<const std::string&>());
  return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}
std::int64_t number_of(const json& value) {
  return integer_in(value).value_or(0);
}

std::uint64_t type_of(const json& value) {
  constexpr std::array<std::string_view, 8> names{"INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
                                                  "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};
  const auto named = value.is_string() ? std::ranges::find(names, value.get_ref<const std::string&>()) : names.end();
  return named == names.end() ? static_cast<std::uint64_t>(number_of(value))
                              : static_cast<std::uint64_t>(named - names.begin());
}

// Takes an attribute's value, which may be the only member of an object besides its name, documentation and type, as in
// {"name": "comm_size", "int64Val": "8"}.
void take_attribute(ChakraNode& node, std::string_view name, const json& value) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items())
      if (key != "name" && key != "doc_string" && key != "docString" && key != "type" && !member.is_structured())
        set_attribute(node, name, number_of(member), member.is_string() ? member.get_ref<const std::string&>() : "");
  } else {
    set_attribute(node, name, number_of(value), value.is_string() ? value.get_ref<const std::string&>() : "");
  }
}

void take_attributes(ChakraNode& node, const json& attributes) {
  for (const auto& [key, value] : attributes.items())
    if (!attributes.is_array())
      take_attribute(node, key, value);
    else if (value.is_object() && value.contains("name") && value["name"].is_string())
      take_attribute(node, value["name"].get_ref<const std::string&>(), value);
}

// Returns a text of the values, or of the values in an object's "values".
std::string inputs_of(const json& inputs) {
  const auto& values = inputs.is_object() && inputs.contains("values") ? inputs["values"] : inputs;
  std::string text;
  if (values.is_string())
    return values.get<std::string>();
  for (const auto& each : values)
    text += each.is_string() ? each.get<std::string>() : "";
  return text;
}

Errors read_json_node(const json& object, const std::string& place, const std::string& file, const TakeNode& take) {
  std::optional<std::int64_t> id;
  if (object.is_object()) // protobuf's JSON leaves a zero out
    for (const auto* key : {"Id", "id", "type"})
      if (!id && object.contains(key))
        id = std::string_view(key) == "type" ? 0 : integer_in(object[key]).value_or(-1);
  if (!id || *id < 0)
    return {input_error(file, place, "got a node without an \"Id\", expected a number")};
  ChakraNode node;
  node.id = static_cast<std::uint64_t>(*id);
  for (const auto& [key, value] : object.items()) {
    if ((key == "Name" || key == "name") && value.is_string())
      node.name = value.get<std::string>().substr(0, 200);
    else if (key == "NodeType" || key == "type")
      node.type = type_of(value);
    else if (key == "runtime" || key == "duration_micros" || key == "durationMicros")
      node.duration = static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_of(value)));
    else if ((key == "data_deps" || key == "dataDeps") && value.is_array())
      for (const auto& each : value)
        node.waits_for.push_back(static_cast<std::uint64_t>(number_of(each)));
    else if (key == "inputs")
      node.inputs = inputs_of(value);
    else if ((key == "attr" || key == "attrs" || key == "attributes") && value.is_structured())
      take_attributes(node, value);
    else
      take_attribute(node, key, value);
  }
  take(std::move(node));
  return {};
}

// Makes a list of objects that follow each other.
std::string as_list(const std::string& text) {
  std::string list = "[";
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"')
      in_text = !in_text;
    else if (!in_text && c == '{' && depth++ == 0 && list.size() > 1)
      list += ',';
    else if (!in_text && c == '}')
      --depth;
    list += c;
    if (in_text && c == '\\' && i + 1 < text.size())
      list += text[++i];
  }
  return list + "]";
}

// Whether the document has a node of Chakra's; those of PyTorch's host have no type.
bool are_nodes(const json& list) {
  return list.is_array() && (list.empty() || std::ranges::any_of(list, [](const json& node) {
                               return node.is_object() && (node.contains("type") || node.contains("NodeType"));
                             }));
}

} // namespace

namespace {

// The names of CollectiveCommType in et_def.proto.
std::optional<std::int64_t> number_of_collective(std::string_view name) {
  constexpr std::array<std::string_view, 10> names{
      "ALL_REDUCE", "REDUCE",         "ALL_GATHER",           "GATHER", "SCATTER", "BROADCAST",
      "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"};
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt : std::optional(found - names.begin());
}

} // namespace

void set_attribute(ChakraNode& node, std::string_view name, std::int64_t number, std::string_view text) {
  if (name == "is_cpu_op")
    node.is_on_host = number != 0;
  else if (name == "comm_type")
    node.collective_type = number_of_collective(text).value_or(number);
  else if (name == "comm_size")
    node.size = number;
  else if (name == "comm_src")
    node.source = number;
  else if (name == "comm_dst")
    node.target = number;
  else if (name == "comm_tag")
    node.tag = number;
  else if (name == "stream")
    node.stream = number;
  else if (name == "num_ops")
    node.operations = number;
  else if (name == "pg_name")
    node.group = text.empty() ? std::to_string(number) : std::string(text);
}

std::string group_name(std::string_view name) {
  const auto number = name.substr(0, name.find('.'));
  const auto rest = name.substr(number.size());
  const bool is_number = rest.size() > 1 && number_in<std::uint64_t>(number) &&
                         rest.substr(1).find_first_not_of('0') == std::string_view::npos;
  return std::string(is_number ? number : name);
}

Errors read_chakra_binary(std::string_view bytes, const std::string& file, const TakeNode& take) {
  ProtobufReader messages(bytes);
  for (std::size_t count = 0; !messages.at_end(); ++count) {
    const auto place = fmt::format("message {}, byte {}", count, messages.place());
    const auto length = messages.take_number();
    const auto message = length ? messages.take_bytes(*length) : std::nullopt;
    if (!message)
      return {input_error(file, place, "a message that ends behind the end of the file")};
    ChakraNode node;
    if (count == 0) // the head, which holds a version
      continue;
    if (!read_node(*message, node))
      return {input_error(file, place, "no node of a Chakra trace: its fields do not fill the message")};
    take(std::move(node));
  }
  if (bytes.empty())
    return {file_error(ErrorKind::input, file, "empty; a Chakra trace has at least a head")};
  return {};
}

Errors read_chakra_json(const std::string& text, const std::string& file, const TakeNode& take) {
  auto document = parse_json(text, file);
  if (!document)
    if (auto list = parse_json(as_list(text), file))
      document = std::move(list);
  if (!document)
    return document.errors();
  const auto& root = *document->root;
  if (root.is_object() && root.contains("traceEvents"))
    return {file_error(ErrorKind::input, file,
                       "a trace of PyTorch's profiler; \"kineto\" in the scenario reads a folder of those")};
  const char* key = root.is_object() && root.contains("nodes") ? "nodes" : "workload_graph";
  if (root.is_object() && root.contains("nodes") && (root["nodes"].empty() || !are_nodes(root["nodes"])))
    return {file_error(ErrorKind::input, file,
                       "an execution trace of PyTorch's host, which lacks times; chakra_trace_link and "
                       "chakra_converter of MLCommons Chakra make a graph of it and the profiler's trace")};
  const bool is_list = are_nodes(root) && !root.empty();
  if (!is_list && (!root.is_object() || !root.contains(key) || !root[key].is_array()))
    return {
        file_error(ErrorKind::input, file,
                   "got no array \"workload_graph\" or \"nodes\", and no nodes one after the other, as Chakra traces "
                   "in JSON have")};
  std::size_t index = 0;
  for (const auto& object : is_list ? root : root[key]) {
    const auto place = is_list ? fmt::format("/{}", index) : fmt::format("/{}/{}", key, index);
    if (index++ == 0 && is_list && object.is_object() && !object.contains("type") && object.contains("version"))
      continue; // the head
    if (auto errors = read_json_node(object, place, file, take); !errors.empty())
      return errors;
  }
  return {};
}

} // namespace kakehashi
