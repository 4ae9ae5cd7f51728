#include "writer/json_edit.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

constexpr const char* written = R"({
    "b": {"x": [1,2],   "odd" :  "space"},
    "a": [
        {"from": "0 B", "o_send": "0.3 us"},
        {"from": "8 KiB", "trips": 3}
    ],

    "c": [ ]
}
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = written;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(JsonEdit, LeavesEqualValuesAsTheyAreWritten) {
  EXPECT_EQ(with_value(written, Pointer("/b"), Json::parse(R"({"odd": "space", "x": [1, 2]})")), written);
  EXPECT_EQ(with_value(written, Pointer("/b/x/1"), 2.0), written);
}

TEST(JsonEdit, ChangesOnlyTheMembersThatDiffer) {
  EXPECT_EQ(with_value(written, Pointer("/b"), Json::parse(R"({"x": [1, 3], "odd": "space"})")),
            changed("[1,2]", "[1,3]"));
  EXPECT_EQ(with_value(written, Pointer("/a/1"), Json::parse(R"({"from": "4 KiB", "trips": 3})")),
            changed("8 KiB", "4 KiB"));
}

TEST(JsonEdit, PutsNewMembersBehindTheirNeighbours) {
  EXPECT_EQ(with_value(written, Pointer("/a/0"), Json::parse(R"({"from": "0 B", "to": "8 KiB", "o_send": "0.3 us"})")),
            changed(R"("0 B", )", R"("0 B", "to": "8 KiB", )"));
  EXPECT_EQ(with_value(written, Pointer("/b"), Json::parse(R"({"n": 0, "x": [1, 2], "odd": "space", "m": 4, "l": 5})")),
            changed(R"({"x": [1,2],   "odd" :  "space"})",
                    R"({"n": 0,   "x": [1,2],   "odd" :  "space",   "m": 4,   "l": 5})"));
}

TEST(JsonEdit, TakesMembersAway) {
  EXPECT_EQ(with_value(written, Pointer("/a/0"), Json::parse(R"({"o_send": "0.3 us"})")),
            changed(R"({"from": "0 B", "o_send")", R"({"o_send")"));
  EXPECT_EQ(with_value(written, Pointer("/a/1"), Json::parse(R"({"from": "8 KiB"})")),
            changed(R"("8 KiB", "trips": 3)", R"("8 KiB")"));
  EXPECT_EQ(with_value(written, Pointer("/a/1"), Json::parse(R"({"cap": "1 GB/s"})")),
            changed(R"({"from": "8 KiB", "trips": 3})", R"({"cap": "1 GB/s"})"));
}

TEST(JsonEdit, AddsAndTakesElements) {
  const auto elements =
      Json::parse(R"([{"from": "0 B", "o_send": "0.3 us"}, {"from": "8 KiB", "trips": 3}, {"from": "1 MiB"}])");
  EXPECT_EQ(with_value(written, Pointer("/a"), elements),
            changed(R"("trips": 3})", "\"trips\": 3},\n        {\"from\": \"1 MiB\"}"));
  EXPECT_EQ(with_value(written, Pointer("/a"), Json::parse(R"([{"from": "0 B"}])")),
            changed("{\"from\": \"0 B\", \"o_send\": \"0.3 us\"},\n        {\"from\": \"8 KiB\", \"trips\": 3}",
                    R"({"from": "0 B"})"));
  EXPECT_EQ(with_value(written, Pointer("/c"), Json::parse("[1, 2]")), changed("[ ]", "[1, 2]"));
  EXPECT_EQ(with_element(written, Pointer("/a"), 1, Json::parse(R"({"from": "1 KiB"})")),
            changed(R"({"from": "8 KiB")", "{\"from\": \"1 KiB\"},\n        {\"from\": \"8 KiB\""));
}

TEST(JsonEdit, WritesNewObjectsAsTheFileWritesOthers) {
  const Json source{{"kind", "calibrated"}, {"from", "a.log"}};
  EXPECT_EQ(with_value(written, Pointer("/source"), source),
            changed("[ ]", "[ ],\n    \"source\": {\"kind\": \"calibrated\", \"from\": \"a.log\"}"));
  EXPECT_EQ(with_value("{\n  \"a\": 1\n}\n", Pointer("/source"), source),
            "{\n  \"a\": 1,\n  \"source\": {\n    \"kind\": \"calibrated\",\n    \"from\": \"a.log\"\n  }\n}\n");
  EXPECT_EQ(with_value(R"({"a":{ "b":1 }})", Pointer("/a/c"), Json{{"d", 1}}), R"({"a":{ "b":1, "c":{ "d":1 } }})");
}

TEST(JsonEdit, ReadsKeysAndTextsWithEscapes) {
  EXPECT_EQ(with_value(R"({"a \"{": "]\\", "b": [1]})", Pointer("/b/0"), 2), R"({"a \"{": "]\\", "b": [2]})");
  EXPECT_EQ(with_value(R"({"a \"{": "]\\", "b": [1]})", Pointer("/a \"{"), "x"), R"({"a \"{": "x", "b": [1]})");
}

} // namespace
} // namespace kakehashi
