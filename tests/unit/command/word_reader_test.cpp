#include "command/command_line.hpp"

#include <gtest/gtest.h>

namespace kakehashi {
namespace {

struct Taken {
  bool is_loud = false;
  std::optional<bool> is_large;
  int count = 3;
  std::string file;
  std::vector<std::string> names;
  std::vector<std::string> each;
  std::vector<std::string> rest;
};

OptionRows rows_of(Taken& taken) {
  return {{"-l,--loud", "loud", &taken.is_loud},
          {"--large", "large", &taken.is_large},
          {"--no-large", "not large", &taken.is_large},
          {{"--count", "so many", &taken.count, Range{1, 9}},
           {"--file FILE", "a file", &taken.file, Values::not_empty},
           {"--names", "names", &taken.names, Values::comma_list}},
          {"--each", "one", &taken.each},
          {"REST", "the rest", &taken.rest}};
}

// What is wrong with the words of some command that has these rows; empty: nothing.
std::string read_into(Taken& taken, std::vector<std::string> words) {
  const auto& command = commands().front();
  words.insert(words.begin(), std::string(command.name));
  const auto text = read_words(words, &command, rows_of(taken).all);
  return text ? *text : to_text(text.errors().front());
}

TEST(WordReader, PutsValuesWhereTheRowsLead) {
  Taken taken;
  EXPECT_EQ(read_into(taken, {"-l", "--no-large", "--count=4", "a", "--file", "f", "--names", "x,y", "--names=z", "b",
                              "--each", "1", "--each", "2", "c"}),
            "");
  EXPECT_TRUE(taken.is_loud);
  EXPECT_EQ(taken.is_large, false);
  EXPECT_EQ(taken.count, 4);
  EXPECT_EQ(taken.file, "f");
  EXPECT_EQ(taken.names, (OneOf{"x", "y", "z"}));
  EXPECT_EQ(taken.each, (OneOf{"1", "2"}));
  EXPECT_EQ(taken.rest, (OneOf{"a", "b", "c"}));
}

TEST(WordReader, LeavesWhatIsNotStated) {
  Taken taken;
  EXPECT_EQ(read_into(taken, {}), "");
  EXPECT_EQ(taken.count, 3);
  EXPECT_EQ(taken.is_large, std::nullopt);
}

TEST(WordReader, RefusesWhatARowDoesNotTake) {
  Taken taken;
  EXPECT_EQ(read_into(taken, {"--count", "10"}), "--count: Value 10 not in range 1 to 9");
  EXPECT_EQ(read_into(taken, {"--file", ""}), "--file: got \"\", expected a value");
  EXPECT_EQ(read_into(taken, {"--names", ""}), "--names: got \"\", expected a value");
  EXPECT_EQ(read_into(taken, {"--file"}), "--file: 1 required FILE missing");
  EXPECT_EQ(read_into(taken, {"--cuont", "4"}), "unknown option --cuont (did you mean \"--count\"?)");
}

TEST(WordReader, GivesAnOptionWithNothingBehindItsSignNotTheNextWord) {
  Taken taken;
  EXPECT_EQ(read_into(taken, {"--names=", "--loud"}), "--names: got \"\", expected a value");
  EXPECT_EQ(read_into(taken, {"--each=", "--", "--count="}), "");
  EXPECT_EQ(taken.each, (OneOf{""}));
  EXPECT_EQ(taken.rest, (OneOf{"--count="}));
}

TEST(OptionRow, SaysWhatHelpShows) {
  Taken taken;
  const auto rows = rows_of(taken).all;
  EXPECT_EQ(rows.size(), 8u);
  EXPECT_EQ(names_of(rows[0]), (OneOf{"-l", "--loud"}));
  EXPECT_TRUE(is_flag(rows[1]));
  EXPECT_EQ(rows[3].value_name, "INT");
  EXPECT_EQ(usual_value(rows[3]), "3");
  EXPECT_EQ(rows[4].value_name, "FILE");
  EXPECT_EQ(usual_value(rows[4]), "");
  EXPECT_TRUE(is_positional(rows[7]));
  EXPECT_EQ(text_of(rows, "--file"), &taken.file);
  EXPECT_EQ(text_of(rows, "--format"), nullptr);
}

} // namespace
} // namespace kakehashi
