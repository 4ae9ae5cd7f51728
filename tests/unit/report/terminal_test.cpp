#include "base/line_buffer.hpp"
#include "report/colour.hpp"
#include "report/csv_form.hpp"
#include "report/draw/text_chart.hpp"

#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace kakehashi {
namespace {

TEST(Colour, TellsCommentsErrorsAndVerdictsApart) {
  EXPECT_EQ(coloured("# a note"), "\033[2m# a note\033[0m");
  EXPECT_EQ(coloured("8  1.00  1.01    -1.0 %"), "8  1.00  1.01    \033[32m-1.0 %\033[0m");
  EXPECT_EQ(coloured("8  1.00  1.01   +25.0 %"), "8  1.00  1.01   \033[33m+25.0 %\033[0m");
  EXPECT_EQ(coloured("8  1.00  1.01   -25.1 %"), "8  1.00  1.01   \033[31m-25.1 %\033[0m");
  EXPECT_EQ(coloured("a curve  fail: why"), "a curve\033[31m  fail\033[0m: why");
}

TEST(Colour, LeavesTheRest) {
  for (const auto* line : {"", "8   1.00", "12.5 %", "rank 0  50.0 %"})
    EXPECT_EQ(coloured(line), line);
}

TEST(Colour, PassesOnLinesAndWhatIsLeftAtTheEnd) {
  std::ostringstream out;
  {
    LineBuffer buffer(out, coloured);
    std::ostream stream(&buffer);
    stream << "# one\ntw";
    EXPECT_EQ(out.str(), "\033[2m# one\033[0m\n");
    stream << "o";
  }
  EXPECT_EQ(out.str(), "\033[2m# one\033[0m\ntwo");
}

TEST(CsvForm, QuotesWhatWouldBeTakenForMore) {
  std::ostringstream out;
  write_csv_line({"a", "", "b, c", "say \"no\"", "two\nlines"}, out);
  EXPECT_EQ(out.str(), "a,,\"b, c\",\"say \"\"no\"\"\",\"two\nlines\"\n");
}

std::string without_colour(const std::string& text) {
  return std::regex_replace(text, std::regex("\033\\[[0-9]+m"), "");
}

TEST(TextChart, HasLinesPointsAndNames) {
  CurveChart chart;
  chart.x_name = "size";
  chart.y_name = "us";
  chart.curves = {{"line", {{1, 1, ""}, {1024, 1000, ""}}, Paint::series_0, true, std::nullopt},
                  {"points", {{1024, 1, ""}}, Paint::series_1, false, std::nullopt}};
  std::ostringstream out;
  write_text(chart, 50, out);
  std::vector<std::string> lines;
  std::istringstream text(without_colour(out.str()));
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  ASSERT_EQ(lines.size(), 18U);                  // a title, fourteen rows, the axis, its numbers, names
  EXPECT_EQ(lines[1].substr(10).find('*'), 37U); // the last point at the top right, after 38 columns
  EXPECT_EQ(lines[14].substr(10, 2), "*.");
  EXPECT_EQ(lines[14].back(), 'o');
  EXPECT_NE(lines[8].find('.'), std::string::npos);
  EXPECT_NE(lines[16].find("  size"), std::string::npos);
  EXPECT_EQ(lines[17], "          * line   o points");
}

} // namespace
} // namespace kakehashi
