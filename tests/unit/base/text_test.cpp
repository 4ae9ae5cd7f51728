#include "base/error.hpp"
#include "base/text.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

TEST(Text, ShowsNoControlCharactersToATerminal) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(printable("two\nlines\r\t\x7f"), "two\\nlines\\r\\t\\u007f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\u009b31m");
  EXPECT_EQ(printable("架け橋 \xFF"), "架け橋 \xEF\xBF\xBD");
  EXPECT_EQ(printable_lines("two\nlines\x1b"), "two\nlines\\u001b");
}

TEST(Text, HasWordsBetweenBlanksTabsAndReturns) {
  EXPECT_EQ(words_in(" 0\tsend  1\r"), (std::vector<std::string_view>{"0", "send", "1"}));
  EXPECT_EQ(words_in(" \t"), std::vector<std::string_view>());
  std::string_view line = "calc 5";
  EXPECT_EQ(take_word(line), "calc");
  EXPECT_EQ(line, " 5");
}

TEST(Text, HasPartsThatMayBeEmpty) {
  EXPECT_EQ(split("8,,x", ','), (std::vector<std::string>{"8", "", "x"}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
}

TEST(Text, IsAWordForAShell) {
  EXPECT_EQ(shell_word("out/ranks-1.txt"), "out/ranks-1.txt");
  EXPECT_EQ(shell_word("my ranks.txt"), "'my ranks.txt'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("~/x"), "'~/x'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Error, EscapesNamesOfFiles) {
  EXPECT_EQ(to_text({ErrorKind::input, "a\nerror: b\x1b[2J", "", "no such file", ""}),
            "a\\nerror: b\\u001b[2J: no such file");
}

TEST(Error, AnInterruptDecidesTheExitCode) {
  const Error run{ErrorKind::run, "", "", "", ""};
  const Error system{ErrorKind::system, "", "", "", ""};
  EXPECT_EQ(exit_code(Errors{run, system}), 1);
  EXPECT_EQ(exit_code(Errors{run, {ErrorKind::input, "", "", "", ""}}), 2);
  EXPECT_EQ(exit_code(Errors{run, {ErrorKind::interrupt, "", "", "", ""}}), 130);
}

} // namespace
} // namespace kakehashi
