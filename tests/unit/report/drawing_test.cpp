#include "report/draw/axis.hpp"
#include "report/draw/chart.hpp"
#include "report/draw/lanes.hpp"
#include "report/draw/svg.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

namespace kakehashi {
namespace {

std::string texts_of(const std::vector<Tick>& ticks) {
  std::string texts;
  for (const auto& tick : ticks)
    texts += (texts.empty() ? "" : " ") + (tick.text.empty() ? "." : tick.text);
  return texts;
}

std::string ticks_of(AxisForm form, std::vector<double> values, std::size_t most) {
  return texts_of(Axis(form, values, 0, 100).ticks(most));
}

TEST(Axis, NamesDecadesAndWhatIsBetweenThemWhereThereIsRoom) {
  EXPECT_EQ(ticks_of(AxisForm::logarithm, {1.5, 1250}, 8), "1 . . 10 . . 100 . . 1000 .");
  EXPECT_EQ(ticks_of(AxisForm::logarithm, {1.5, 9}, 8), "1 2 5 10");
  EXPECT_EQ(ticks_of(AxisForm::logarithm, {1e-3, 1e6}, 5), "0.01 1 100 10000 1e+06");
}

TEST(Axis, NamesSizesByPowersOfTwoWithZeroBeforeThem) {
  EXPECT_EQ(ticks_of(AxisForm::sizes, {0, 1, 64, 4096}, 5), "0 1 8 64 512 4 KiB");
  EXPECT_EQ(ticks_of(AxisForm::sizes, {512, 1024, 2048}, 9), "512 1 KiB 2 KiB");
}

TEST(Axis, NamesWholePartsOfLinearRanges) {
  EXPECT_EQ(ticks_of(AxisForm::linear, {3, 18835}, 6), "0 5000 10000 15000 20000");
  EXPECT_EQ(ticks_of(AxisForm::linear, {-4.5, 0}, 6), "-5 -4 -3 -2 -1 0");
  EXPECT_EQ(ticks_of(AxisForm::range, {499, 1296}, 6), "400 600 800 1000 1200 1400");
}

TEST(Axis, PlacesValuesBetweenItsEnds) {
  const Axis logarithm(AxisForm::logarithm, std::vector{1.0, 100.0}, 300, 100); // upwards
  EXPECT_DOUBLE_EQ(logarithm.at(1), 300);
  EXPECT_DOUBLE_EQ(logarithm.at(10), 200);
  EXPECT_DOUBLE_EQ(logarithm.at(100), 100);
  EXPECT_FALSE(logarithm.has(0));
  const Axis sizes(AxisForm::sizes, std::vector{0.0, 1.0, 16.0}, 0, 100);
  EXPECT_DOUBLE_EQ(sizes.at(0), 0);
  EXPECT_DOUBLE_EQ(sizes.at(1), 7);
  EXPECT_DOUBLE_EQ(sizes.at(4), 53.5);
  EXPECT_DOUBLE_EQ(sizes.at(16), 100);
}

TEST(Axis, HasRoomForOneValueAndForNone) {
  for (const auto form : {AxisForm::linear, AxisForm::range, AxisForm::logarithm, AxisForm::sizes})
    for (const auto& values : {std::vector<double>{}, std::vector{0.0}, std::vector{5.0}}) {
      const Axis axis(form, values, 0, 100);
      EXPECT_LT(axis.low(), axis.high());
      for (const auto& tick : axis.ticks(6))
        EXPECT_TRUE(std::isfinite(axis.at(tick.value)));
    }
}

TEST(Histogram, CountsEachValueOnce) {
  const std::vector<double> values{1, 1.4, 2, 3, 3};
  const auto bins = bins_of(values, 4);
  ASSERT_EQ(bins.size(), 4u);
  EXPECT_EQ(bins[0].count, 2u); // 1 to 1.5
  EXPECT_EQ(bins[1].count, 0u);
  EXPECT_EQ(bins[2].count, 1u); // 2 is on an edge
  EXPECT_EQ(bins[3].count, 2u); // the greatest has no bin above
  EXPECT_EQ(bins_of(std::vector{7.0, 7.0}, 4).front().count, 2u);
  EXPECT_TRUE(bins_of({}, 4).empty());
}

CurveChart small_chart() {
  CurveChart chart;
  chart.says = "two <curves>";
  chart.curves = {{"predicted", {{1, 10, "1 B: 10 us"}, {4, 20, "4 B: 20 us"}}, Paint::series_0, true, std::nullopt},
                  {"measured", {{1, 12, "1 B: 12 us & more"}}, Paint::series_1, false, DotForm::ring}};
  chart.errors = {{1, -16.7, "1 B: error -16.7 %"}};
  return chart;
}

// What can be pointed at, in its order.
std::vector<std::string> said_by(const Drawing& drawing) {
  std::vector<std::string> said;
  for (const auto& shape : drawing.shapes)
    if (!shape.says.empty())
      said.push_back(shape.says);
  return said;
}

TEST(Chart, HasAMarkForEachPointAndEachError) {
  const auto drawing = draw(small_chart(), 700);
  EXPECT_EQ(said_by(drawing),
            (std::vector<std::string>{"1 B: 10 us", "4 B: 20 us", "1 B: 12 us & more", "1 B: error -16.7 %"}));
}

TEST(Chart, DrawsEverythingInsideItsFrameAtEveryWidth) {
  for (const double width : {240.0, 344.0, 760.0}) {
    const auto drawing = draw(small_chart(), width);
    for (const auto& shape : drawing.shapes)
      if (const auto* dot = std::get_if<Dot>(&shape.form)) {
        EXPECT_GE(dot->at.x, 0);
        EXPECT_LE(dot->at.x, width);
        EXPECT_GE(dot->at.y, 0);
        EXPECT_LE(dot->at.y, drawing.height);
      }
  }
}

TEST(Drawing, KeepsTextsInside) {
  Drawing drawing{100, 20, "", {}};
  drawing.add(Text{{-3, 10}, "left"});
  drawing.add(Text{{99, 10}, "right", Anchor::middle});
  drawing.add(Text{{50, 10}, "a text that is wider than the drawing", Anchor::end});
  for (const auto& shape : drawing.shapes) {
    const auto& text = std::get<Text>(shape.form);
    const double width = width_of(text.text, text.size);
    const double left = text.at.x - (text.anchor == Anchor::start    ? 0
                                     : text.anchor == Anchor::middle ? width / 2
                                                                     : width);
    EXPECT_GE(left, 0) << text.text;
    EXPECT_LE(left + width, 100) << text.text;
  }
  EXPECT_EQ(std::get<Text>(drawing.shapes[1].form).text, "right");
  EXPECT_EQ(std::get<Text>(drawing.shapes[2].form).text.substr(0, 8), "a text t");
}

TEST(Drawing, WidthsOfTextsAreThoseOfTheFont) {
  EXPECT_DOUBLE_EQ(width_of("il%", 10), 2.8 + 2.8 + 9.5);
  EXPECT_DOUBLE_EQ(width_of("…", 10), 10);
}

TEST(Chart, LongNumbersAtItsAxesHaveRoom) {
  auto chart = small_chart();
  chart.title = "small";
  chart.curves[0].points = {{1, 2e4, "least"}, {4, 9e5, "greatest"}};
  chart.errors = {{1, 1500, "large"}};
  for (const auto& shape : draw(chart, 222).shapes)
    if (const auto* text = std::get_if<Text>(&shape.form); text && text->anchor == Anchor::end)
      EXPECT_GE(text->at.x - width_of(text->text, text->size), 0) << text->text;
}

TEST(Chart, MeasuredPointsStandAtTheirValues) {
  auto chart = small_chart();
  chart.curves[1].points = {{4, 20, "the same"}};
  const auto drawing = draw(chart, 700);
  std::vector<Spot> spots;
  for (const auto& shape : drawing.shapes)
    if (shape.says == "4 B: 20 us" || shape.says == "the same")
      spots.push_back(std::get<Dot>(shape.form).at);
  ASSERT_EQ(spots.size(), 2u);
  EXPECT_EQ(spots[0], spots[1]);
}

TEST(Lanes, BarsAreAsLongAsTheirValues) {
  LaneChart chart;
  chart.lanes = {{"a", {{0, 10, Paint::series_0, "ten", false}}, {}, ""},
                 {"b", {{10, 30, Paint::series_0, "twenty", false}}, {}, ""}};
  const auto drawing = draw(chart, 500);
  std::vector<Rect> bars;
  for (const auto& shape : drawing.shapes)
    if (!shape.says.empty())
      bars.push_back(std::get<Rect>(shape.form));
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_NEAR(bars[1].width, 2 * bars[0].width, 1e-9);
  EXPECT_NEAR(bars[1].corner.x, bars[0].corner.x + bars[0].width, 1e-9);
}

TEST(Lanes, BarsBeyondTheLimitHaveAGap) {
  LaneChart chart;
  chart.lanes = {{"a", {{0, 10, Paint::series_0, "ten", false}}, {}, ""},
                 {"b", {{0, 1000, Paint::series_0, "thousand", false}}, {}, ""}};
  chart.limit = 20;
  std::vector<double> widths;
  int gaps = 0;
  for (const auto& shape : draw(chart, 500).shapes)
    if (const auto* stroke = std::get_if<Stroke>(&shape.form))
      gaps += stroke->paint == Paint::paper;
    else if (!shape.says.empty())
      widths.push_back(std::get<Rect>(shape.form).width);
  EXPECT_EQ(gaps, 1);
  ASSERT_EQ(widths.size(), 2u);
  EXPECT_NEAR(widths[1], 2 * widths[0], 1e-9);
}

TEST(Matrix, ColoursGoByTheLogarithm) {
  MatrixChart chart{
      "traffic", {"0", "1", "2"}, "from", "to", {{0, 1, 1, "least"}, {1, 2, 100, "middle"}, {2, 0, 10000, "most"}}};
  const auto drawing = draw(chart, 300);
  std::vector<Paint> paints;
  for (const auto& shape : drawing.shapes)
    if (!shape.says.empty())
      paints.push_back(*std::get<Rect>(shape.form).fill);
  EXPECT_EQ(paints, (std::vector{Paint::heat_0, step_paint(Paint::heat_0, 0.5), Paint::heat_4}));
}

TEST(Matrix, NamesOfColumnsDoNotTouch) {
  MatrixChart chart{"traffic", {}, "from", "to", {}};
  for (int rank = 1000; rank < 1128; rank += 2)
    chart.names.push_back(std::to_string(rank) + "-" + std::to_string(rank + 1));
  for (const double width : {344.0, 760.0}) {
    double end = 0;
    for (const auto& shape : draw(chart, width).shapes)
      if (const auto* text = std::get_if<Text>(&shape.form); text && text->anchor == Anchor::middle) {
        const double half = width_of(text->text, text->size) / 2;
        EXPECT_GT(text->at.x - half, end) << text->text;
        end = text->at.x + half;
      }
    EXPECT_GT(end, 0.7 * std::min(width, 420.0));
    EXPECT_LE(end, width);
  }
}

TEST(Svg, EscapesWhatShapesSay) {
  std::ostringstream figure;
  write_figure(draw(small_chart(), 700), figure);
  EXPECT_NE(figure.str().find("aria-label=\"two &lt;curves&gt;\""), std::string::npos);
  EXPECT_NE(figure.str().find("aria-label=\"1 B: 12 us &amp; more\""), std::string::npos);
  EXPECT_EQ(in_xml("a\x01<b>"), "a&lt;b&gt;");
}

TEST(Svg, TabReachesTheFirstMarkOnly) {
  std::ostringstream figure;
  write_figure(draw(small_chart(), 700), figure);
  const auto text = figure.str();
  const auto first = text.find("tabindex=\"0\"");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("tabindex=\"0\"", first + 1), std::string::npos);
  EXPECT_NE(text.find("tabindex=\"-1\""), std::string::npos);
}

TEST(Svg, OnPaperIsLight) {
  std::ostringstream light, both;
  write_svg(draw(small_chart(), 700), SvgColours::light, light);
  write_svg(draw(small_chart(), 700), SvgColours::light_or_dark, both);
  EXPECT_EQ(light.str().find("prefers-color-scheme"), std::string::npos);
  EXPECT_NE(both.str().find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(Drawing, CutsTextBetweenCharacters) {
  EXPECT_EQ(fitted("short", 100, 12), "short");
  EXPECT_EQ(fitted("a longer text", 40, 12), "a lo…");
  EXPECT_EQ(fitted("ääääääää", 30, 12), "ää…");
}

// Of a page without colours of its own: light ink is dark, dark ink light, and all text has contrast.
double luminance(std::string_view colour) {
  const auto part = [&](std::size_t at) {
    const double value = std::stoi(std::string(colour.substr(at, 2)), nullptr, 16) / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
double contrast(std::string_view a, std::string_view b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

TEST(Paint, TextAndCurvesStandOutFromThePaper) {
  for (const auto paint : {Paint::ink, Paint::muted, Paint::good, Paint::bad}) {
    EXPECT_GE(contrast(row_of(paint).light, row_of(Paint::paper).light), 4.5) << row_of(paint).name;
    EXPECT_GE(contrast(row_of(paint).dark, row_of(Paint::paper).dark), 4.5) << row_of(paint).name;
  }
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_GE(contrast(row_of(series_paint(i)).light, row_of(Paint::paper).light), 3) << i;
    EXPECT_GE(contrast(row_of(series_paint(i)).dark, row_of(Paint::paper).dark), 3) << i;
  }
}

TEST(Paint, HasARowForEachUse) {
  EXPECT_EQ(row_of(Paint::series_0).name, "s0");
  EXPECT_EQ(row_of(Paint::series_7).name, "s7");
  EXPECT_EQ(row_of(Paint::use_0).name, "u0");
  EXPECT_EQ(row_of(Paint::heat_4).name, "h4");
  EXPECT_EQ(step_paint(Paint::use_0, 1), Paint::use_4);
}

} // namespace
} // namespace kakehashi
