#include "input/json/json_document.hpp"
#include "input/json/patched.hpp"
#include "scratch_folder.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace kakehashi {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += text;
  return all;
}

TEST(Json, IsReadWhole) {
  for (const std::string text :
       {"{}", "[]", "null", " 1 ", "\"\\u0000\"", "1e308", "\xEF\xBB\xBF{}", "{\"a\": {\"a\": 1}, \"b\": {\"a\": 1}}"})
    EXPECT_EQ(errors_of(parse_json(text, "d.json")), "no errors") << text;
  EXPECT_EQ(errors_of(parse_json(repeated("[", 100) + repeated("]", 100), "d.json")), "no errors");
}

TEST(Json, IsRefusedWithLineAndColumn) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "d.json: empty, expected JSON"},
      {" \n", "d.json: empty, expected JSON"},
      {"{\n  \"a\": 1,\n}",
       "d.json: line 3, column 1: not JSON: syntax error while parsing object key - unexpected '}'; "
       "expected string literal"},
      {"{\"a\": 1\n \"b\": 2}", "d.json: line 2, column 4: not JSON: syntax error while parsing object - unexpected "
                                "string literal; expected '}'"},
      {"{} {}",
       "d.json: line 1, column 4: not JSON: syntax error while parsing value - unexpected '{'; expected end of input"},
      {"// no comments\n{}", "d.json: line 1, column 1: not JSON: syntax error while parsing value - invalid literal"},
      {"{\"a\": NaN}", "d.json: line 1, column 7: not JSON: syntax error while parsing value - invalid literal"},
      {"{\"a\": 1e400}", "d.json: line 1, column 11: not JSON: number overflow parsing '1e400'"},
      {"{\"a\": 01}", "d.json: line 1, column 8: not JSON: syntax error while parsing object - unexpected number "
                      "literal; expected '}'"},
      {"[\"\xFF\"]",
       "d.json: line 1, column 3: not JSON: syntax error while parsing value - invalid string: ill-formed UTF-8 byte"},
      {std::string("{}\n \0 2", 7), "d.json: line 2, column 2: not JSON: a NUL character"},
      {"[\"a\nb\"]", "d.json: line 1, column 4: not JSON: syntax error while parsing value - invalid string: control "
                     "character U+000A (LF) must be escaped to \\u000A or \\n"},
      {"\n\n[\"" + repeated("x", 5000), "d.json: line 3, column 5003: not JSON: syntax error while parsing value - "
                                        "invalid string: missing closing quote"},
  };
  for (const auto& [text, errors] : cases)
    EXPECT_EQ(errors_of(parse_json(text, "d.json")), errors) << text.substr(0, 100);
}

TEST(Json, IsRefusedBelowAHundredLevels) {
  EXPECT_EQ(errors_of(parse_json(repeated("[", 101), "d.json")),
            "d.json: " + repeated("/0", 100) + ": got deeper nesting, expected at most 100 levels");
  EXPECT_EQ(errors_of(parse_json(repeated("{\"a\":", 1000000), "d.json")),
            "d.json: " + repeated("/a", 100) + ": got deeper nesting, expected at most 100 levels");
}

TEST(Json, IsRefusedWithAKeyTwice) {
  EXPECT_EQ(errors_of(parse_json("{\"a\": 1, \"b\": [{\"c\": 1, \"c\": 2, \"c\": 3}], \"a\": 2}", "d.json")),
            "d.json: /a: got the key \"a\" twice, expected each only once\n"
            "d.json: /b/0/c: got the key \"c\" twice, expected each only once");
  EXPECT_EQ(errors_of(parse_json("{\"a\": 1,\n\"a\": 1,\n1}", "d.json")),
            "d.json: /a: got the key \"a\" twice, expected each only once\n"
            "d.json: line 3, column 1: not JSON: syntax error while parsing object key - unexpected number literal; "
            "expected string literal");
}

TEST(Json, FilesAreRefusedThatCannotBeRead) {
  const std::string folder = scratch_folder();
  std::ofstream(folder + "/d.json") << "[1, 2]";
  EXPECT_EQ(errors_of(read_json(folder + "/d.json")), "no errors");
  EXPECT_EQ(errors_of(read_json("no-such.json")), "no-such.json: no such file");
  EXPECT_EQ(errors_of(read_json(folder)), folder + ": not a regular file");
  EXPECT_EQ(errors_of(read_json("/dev/zero")), "/dev/zero: not a regular file");
  EXPECT_EQ(errors_of(read_text(folder + "/d.json", 5)), folder + "/d.json: larger than 5 B");
  EXPECT_FALSE(read_text(folder + "/d.json" + std::string("\0x", 2)).ok()) << "opened the name before the NUL";
}

TEST(Pointer, EscapesItsParts) {
  EXPECT_EQ(pointer_to("", "a/b~c"), "/a~1b~0c");
  EXPECT_EQ(pointer_to("/a", ""), "/a/");
  EXPECT_EQ(pointer_to("/a", 3), "/a/3");
  EXPECT_EQ(pointer_to("", std::string("a\n\x7f\0", 4)), "/a\\u000a\\u007f\\u0000");
  EXPECT_EQ(pointer_to("", repeated("x", 121)), "/" + repeated("x", 117) + "...");
}

TEST(Value, IsShownShort) {
  using nlohmann::json;
  EXPECT_EQ(show(json::parse("{\"a\": 1}")), "an object");
  EXPECT_EQ(show(json::parse("[1]")), "an array");
  EXPECT_EQ(show(json("a\nb")), "\"a\\nb\"");
  EXPECT_EQ(show(json("\xFF")), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(show(json(repeated("x", 58))), "\"" + repeated("x", 58) + "\"");
  EXPECT_EQ(show(json(repeated("x", 59))), "\"" + repeated("x", 56) + "...");
  EXPECT_EQ(show(json(repeated("é", 59))), "\"" + repeated("é", 28) + "...") << "cut inside a character";
  EXPECT_EQ(counted(1, "item"), "1 item");
  EXPECT_EQ(counted(2, "item"), "2 items");
}

TEST(Errors, AreSortedByTheDocument) {
  const auto document = parse_json("{\"b\": [1, 2], \"a\": 3}", "d.json");
  const auto error = [](const char* place, const char* message) {
    return Error{ErrorKind::input, "d.json", place, message, ""};
  };
  EXPECT_EQ(lines_of(document->in_document_order(
                {error("/a", "2"), error("/b/1", "1"), error("/b/c", "0"), error("/a", "2"), error("", "whole")})),
            "d.json: whole\nd.json: /b/c: 0\nd.json: /b/1: 1\nd.json: /a: 2");
}

} // namespace
} // namespace kakehashi
