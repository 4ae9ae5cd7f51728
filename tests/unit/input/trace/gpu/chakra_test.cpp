#include "input/trace/gpu/chakra_node.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

TEST(Protobuf, ReadsFieldsOfAllKinds) {
  const auto bytes = "\x08\x96\x01\x12\x03"
                     "abc\x1d\x01\x00\x00\x80\x21\x02\x00\x00\x00\x00\x00\x00\x00"s;
  ProtobufReader reader(bytes);
  const auto number = reader.next();
  ASSERT_TRUE(number);
  EXPECT_EQ(number->id, 1u);
  EXPECT_EQ(number->number, 150u);
  EXPECT_EQ(reader.next()->bytes, "abc");
  EXPECT_EQ(reader.next()->number, 0x80000001u);
  EXPECT_EQ(reader.next()->number, 2u);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.is_damaged());
}

TEST(Protobuf, SeesDamage) {
  for (const auto& bytes : {"\x08"s, "\x08\x80"s,
                            "\x12\x04"
                            "abc"s,
                            "\x1d\x01\x00\x00"s, "\x0b"s, "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s,
                            "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s}) {
    ProtobufReader reader(bytes);
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.is_damaged());
  }
}

TEST(Protobuf, ReadsListsInBothForms) {
  std::vector<std::uint64_t> numbers;
  ProtobufReader packed("\x2a\x03\x01\xac\x02"sv);
  EXPECT_TRUE(append_numbers(*packed.next(), numbers));
  ProtobufReader single("\x28\x07"sv);
  EXPECT_TRUE(append_numbers(*single.next(), numbers));
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 300, 7}));
  ProtobufReader cut("\x2a\x02\x01\xac"sv);
  EXPECT_FALSE(append_numbers(*cut.next(), numbers));
}

// A length before each, as in a file.
std::string with_lengths(const std::vector<std::string>& messages) {
  std::string text;
  for (const auto& message : messages)
    text += static_cast<char>(message.size()) + message;
  return text;
}

TEST(Chakra, ReadsAttributesInAnyKindOfNumber) {
  const auto attribute = [](const std::string& name, const std::string& value) {
    const auto content = "\x0a"s + static_cast<char>(name.size()) + name + value;
    return "\x52"s + static_cast<char>(content.size()) + content;
  };
  std::vector<ChakraNode> nodes;
  const auto file = with_lengths({"\x0a\x01"
                                  "1"s,
                                  "\x08\x05\x18\x07"s + attribute("comm_type", "\x48\x02"s)             // int64
                                      + attribute("comm_size", "\x69\x40\x00\x00\x00\x00\x00\x00\x00"s) // fixed64 in 13
                                      + attribute("comm_tag", "\x88\x01\x03"s)                          // sint64: -2
                                      + attribute("pg_name", "\xea\x01\x01"
                                                             "a"s)});
  EXPECT_TRUE(read_chakra_binary(file, "x.0.et", [&](ChakraNode node) { nodes.push_back(std::move(node)); }).empty());
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].id, 5u);
  EXPECT_EQ(nodes[0].type, ChakraNode::collective);
  EXPECT_EQ(nodes[0].collective_type, 2);
  EXPECT_EQ(nodes[0].size, 64);
  EXPECT_EQ(nodes[0].tag, -2);
  EXPECT_EQ(nodes[0].group, "a");
}

TEST(Chakra, TellsWhereABinaryTraceIsDamaged) {
  const auto fault = [](const std::string& file) {
    const auto errors = read_chakra_binary(file, "x.0.et", [](const ChakraNode&) {});
    return errors.empty() ? "" : to_text(errors.front());
  };
  EXPECT_EQ(fault(""), "x.0.et: empty; a Chakra trace has at least a head");
  EXPECT_EQ(fault("\x02\x0a\x00\x05\x08"s),
            "x.0.et: message 1, byte 3: a message that ends behind the end of the file");
  EXPECT_EQ(fault("\x02\x0a\x00\x02\x08\x80"s),
            "x.0.et: message 1, byte 3: no node of a Chakra trace: its fields do not fill the message");
}

TEST(Chakra, ReadsProcessGroupsOfMetadata) {
  ChakraGroups groups(4);
  groups.add_inputs(R"(['[{"pg_name": "0", "ranks": []}, {"pg_name": "7", "ranks": [3, 1]}]'])");
  groups.add_inputs("[1, 2]");
  groups.add_inputs(R"([{"pg_name": "8", "ranks": [9]}])");
  EXPECT_EQ(groups.find(""), 0u);
  EXPECT_EQ(groups.list()[*groups.find("0")].members, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(groups.list()[*groups.find("7")].members, (std::vector{3, 1}));
  EXPECT_EQ(groups.find("8"), std::nullopt);
  EXPECT_EQ(groups.contradiction(), std::nullopt);
  groups.add_inputs(R"([{"pg_name": "7", "ranks": [0, 1]}])");
  EXPECT_EQ(groups.contradiction(), "process group \"7\" has other ranks here than in the trace or file read before");
}

} // namespace
} // namespace kakehashi
