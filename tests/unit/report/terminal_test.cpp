#include "base/line_buffer.hpp"
#include "report/draw/chart.hpp"
#include "report/format.hpp"

#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace kakehashi {
namespace {

std::string without_colour(const std::string& text) {
  return std::regex_replace(text, std::regex("\033\\[[0-9]+m"), "");
}

std::string in_text(const ReportParts& parts, bool has_colour) {
  std::ostringstream out;
  PartsOut to{out, has_colour};
  write_text(parts, to);
  return out.str();
}

TEST(TextWriter, ColoursByTheTonesOfCells) {
  Listing listing{"curves", {left("curve", 7), right("error", 8), left("verdict", 0, 2)}, {}};
  listing.rows = {{"a", in_tone("-1.0 %", Tone::good), in_tone("pass", Tone::good)},
                  {"b\033[5m", in_tone("+25.1 %", Tone::bad), in_tone("fail: 5 %", Tone::bad, 4)},
                  {"c", "12.5 %"},
                  {in_tone("mean", Tone::remark), "1.0 %"}};
  const ReportParts parts{Note{"of all"}, listing, Item{"+1.0 %"}};
  EXPECT_EQ(in_text(parts, true), "\033[2m# of all\033[0m\n"
                                  "\033[2m# curves\033[0m\n"
                                  "\033[2m# curve    error  verdict\033[0m\n"
                                  "a         \033[32m-1.0 %\033[0m  \033[32mpass\033[0m\n"
                                  "b\\u001b[5m    \033[31m+25.1 %\033[0m  \033[31mfail\033[0m: 5 %\n"
                                  "c         12.5 %\n"
                                  "\033[2m# mean     1.0 %\033[0m\n"
                                  "  +1.0 %\n");
  EXPECT_EQ(in_text({parts[0], parts[2]}, false), "# of all\n  +1.0 %\n");
}

TEST(TextWriter, WritesWhatIsNew) {
  Listing listing{"", {left("Size", 4), right("us", 6)}, {{"1", "2.00"}}};
  listing.keeps_widths = true;
  ReportParts parts{Note{"a run"}, listing};
  std::ostringstream out;
  PartsOut to{out};
  write_text(parts, to);
  EXPECT_EQ(out.str(), "# a run\n# Size     us\n1      2.00\n");
  std::get<Listing>(parts[1]).rows.push_back({"1048576", "3.00"});
  parts.push_back(Note{"the end"});
  out.str("");
  write_text(parts, to);
  EXPECT_EQ(out.str(), "1048576   3.00\n# the end\n");
}

TEST(MarkdownWriter, WritesRowsOfATableThatGrows) {
  ReportParts parts{Note{"a run"}, Listing{"", {left("Size"), right("us", 6)}, {{"1", "2.00"}}}};
  std::ostringstream out;
  PartsOut to{out};
  write_markdown(parts, to);
  std::get<Listing>(parts[1]).rows.push_back({"2", "3.00"});
  parts.push_back(Note{"the end"});
  write_markdown(parts, to);
  EXPECT_EQ(out.str(), "- a run\n\n| Size | us |\n|---|---:|\n| 1 | 2.00 |\n| 2 | 3.00 |\n\n- the end\n");
}

TEST(MarkdownWriter, MakesNoTagsOrLinksOfNames) {
  const ReportParts parts{Note{"<b>a</b> & b"},
                          Listing{"<i>", {left("[x](http://a)")}, {{"<img src=x onerror=y> | z"}}}};
  std::ostringstream out;
  PartsOut to{out};
  write_markdown(parts, to);
  EXPECT_EQ(out.str(), "- &lt;b>a&lt;/b> &amp; b\n\n### &lt;i>\n\n| [x]\\(http://a) |\n|---|\n"
                       "| &lt;img src=x onerror=y> \\| z |\n");
}

TEST(LineBuffer, PassesOnLinesAndWhatIsLeftAtTheEnd) {
  std::ostringstream out;
  {
    LineBuffer buffer(out, [](const std::string& line) { return "<" + line + ">"; });
    std::ostream stream(&buffer);
    stream << "one\ntw";
    EXPECT_EQ(out.str(), "<one>\n");
    stream << "o";
  }
  EXPECT_EQ(out.str(), "<one>\n<two>");
}

TEST(CsvWriter, QuotesWhatWouldBeTakenForMore) {
  std::ostringstream out;
  const Report report{nullptr,
                      [] {
                        return Sheet{{"name"}, {{"a", "", "b, c", "say \"no\"", "two\nlines"}}};
                      },
                      nullptr};
  write_report(report, *find_format("csv"), {out});
  EXPECT_EQ(out.str(), "name\na,,\"b, c\",\"say \"\"no\"\"\",\"two\nlines\"\n");
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
