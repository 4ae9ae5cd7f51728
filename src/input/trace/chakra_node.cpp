#include "input/trace/chakra_node.hpp"

#include "input/json/json_document.hpp"
#include "input/trace/protobuf_reader.hpp"

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

// Reads a number from its field: 3 double, 5 float, 15 and 17 with the sign in the last bit, 29 text.
AttributeValue value_of(const Field& field) {
  const auto rounded = [](double value) {
    constexpr double largest = 9e18;
    return value > -largest && value < largest ? static_cast<std::int64_t>(value) : 0;
  };
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

// Returns a number of the node; 0 if it has none. Texts may contain numbers, since protobuf's JSON has 64 bits.
std::int64_t number_of(const nlohmann::json& value) {
  if (value.is_boolean())
    return value.get<bool>() ? 1 : 0;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)
    return INT64_MAX;
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

Errors read_json_node(const nlohmann::json& object, const std::string& place, const std::string& file,
                      const TakeNode& take) {
  const auto fault = [&](std::string message) { return Errors{input_error(file, place, std::move(message))}; };
  if (!object.is_object() || !object.contains("Id") || !object["Id"].is_number_unsigned())
    return fault("got a node without an \"Id\", expected a number");
  ChakraNode node;
  node.id = object["Id"].get<std::uint64_t>();
  for (const auto& [key, value] : object.items()) {
    if (key == "Name" && value.is_string())
      node.name = value.get<std::string>().substr(0, 200);
    else if (key == "NodeType")
      node.type = static_cast<std::uint64_t>(number_of(value));
    else if (key == "runtime" || key == "duration_micros")
      node.duration = static_cast<std::uint64_t>(number_of(value));
    else if (key == "data_deps" && value.is_array())
      for (const auto& each : value)
        node.waits_for.push_back(static_cast<std::uint64_t>(number_of(each)));
    else
      set_attribute(node, key, number_of(value), value.is_string() ? value.get_ref<const std::string&>() : "");
  }
  take(std::move(node));
  return {};
}

} // namespace

void set_attribute(ChakraNode& node, std::string_view name, std::int64_t number, std::string_view text) {
  if (name == "is_cpu_op")
    node.is_on_host = number != 0;
  else if (name == "comm_type")
    node.collective_type = number;
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
  const auto document = parse_json(text, file);
  if (!document)
    return document.errors();
  const auto& root = *document->root;
  if (root.is_object() && root.contains("traceEvents"))
    return {file_error(ErrorKind::input, file,
                       "a trace of PyTorch's profiler; \"kineto\" in the scenario reads a folder of those")};
  if (root.is_object() && root.contains("nodes"))
    return {file_error(ErrorKind::input, file,
                       "an execution trace of PyTorch's host, which lacks times; chakra_trace_link and "
                       "chakra_converter of MLCommons Chakra make a graph of it and the profiler's trace")};
  if (!root.is_object() || !root.contains("workload_graph") || !root["workload_graph"].is_array())
    return {file_error(ErrorKind::input, file, "got no array \"workload_graph\", as a Chakra trace in JSON has")};
  std::size_t index = 0;
  for (const auto& object : root["workload_graph"])
    if (auto errors = read_json_node(object, fmt::format("/workload_graph/{}", index++), file, take); !errors.empty())
      return errors;
  return {};
}

} // namespace kakehashi
