#include "report/draw/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

constexpr double font = 12;
constexpr double line = 16; // height of a line of text

// Where the parts of a chart are.
struct Frame {
  double left, right, top, bottom; // the edges of the curves
  double band_top;
  double error_top, error_bottom;
  double height;
  bool is_small;
};

// Arranges the legend's names in rows that fit.
std::vector<std::vector<std::size_t>> legend_rows(const CurveChart& chart, double width) {
  std::vector<std::vector<std::size_t>> rows;
  double used = width;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const double wanted = 30 + width_of(chart.curves[i].name, font) + 14;
    if (used + wanted > width) {
      rows.emplace_back();
      used = 0;
    }
    rows.back().push_back(i);
    used += wanted;
  }
  return rows;
}

Axis y_axis(const CurveChart& chart, double bottom, double top) {
  auto values = values_of(chart, &ChartPoint::y);
  for (const auto& each : chart.range)
    values.insert(values.end(), {each.low, each.high});
  return {chart.y_form, values, bottom, top};
}

Axis error_axis(const CurveChart& chart, double bottom, double top) {
  double most = 5;
  for (const auto& error : chart.errors)
    most = std::max(most, std::abs(error.y));
  return {AxisForm::linear, std::array{-most, most}, bottom, top};
}

std::size_t y_texts(bool is_small) {
  return is_small ? 4 : 8;
}

double y_size(bool is_small) {
  return is_small ? 10 : font;
}

double error_size(bool is_small) {
  return is_small ? 9 : 11;
}

std::string error_text(double value) {
  return value == 0 ? "0" : fmt::format("{:+g} %", value);
}

// Returns the width of the longest label at the left of both axes.
double widest_text(const CurveChart& chart, bool is_small) {
  double widest = 0;
  for (const auto& tick : y_axis(chart, 1, 0).ticks(y_texts(is_small)))
    widest = std::max(widest, width_of(tick.text, y_size(is_small)));
  if (!chart.errors.empty())
    widest = std::max(widest, width_of(error_text(error_axis(chart, 1, 0).high()), error_size(is_small)));
  return widest;
}

Frame frame_of(const CurveChart& chart, double width) {
  Frame frame{};
  frame.is_small = !chart.title.empty();
  frame.left = std::max(frame.is_small ? 40.0 : 56.0, widest_text(chart, frame.is_small) + 8);
  frame.right = width - 14;
  const double legend =
      frame.is_small ? 0 : line * static_cast<double>(legend_rows(chart, frame.right - frame.left).size()) + 4;
  frame.top = frame.is_small ? 22 : 22 + legend;
  frame.bottom = frame.top + (frame.is_small ? 92 : width < 500 ? 220 : 290);
  double below = frame.bottom;
  if (!chart.bands.empty()) {
    frame.band_top = below + 6;
    below = frame.band_top + line + 2;
  }
  if (!chart.errors.empty()) {
    frame.error_top = below + (frame.is_small ? 8 : 26);
    below = frame.error_bottom = frame.error_top + (frame.is_small ? 30 : 76);
  }
  frame.height = below + (frame.is_small ? 22 : 42);
  return frame;
}

std::size_t x_texts(const Frame& frame) {
  return static_cast<std::size_t>((frame.right - frame.left) / (frame.is_small ? 58 : 52));
}

void draw_grid(const CurveChart& chart, const Frame& frame, const Axis& x, const Axis& y, Drawing& out) {
  const double size = y_size(frame.is_small);
  for (const auto& tick : y.ticks(y_texts(frame.is_small))) {
    const double at = y.at(tick.value);
    out.add(Stroke{{{frame.left, at}, {frame.right, at}}, Paint::grid, tick.text.empty() ? 0.5 : 1});
    if (!tick.text.empty())
      out.add(Text{{frame.left - 6, at + size / 3}, tick.text, Anchor::end, Paint::muted, size});
  }
  const double bottom = chart.errors.empty() ? frame.bottom : frame.error_bottom;
  const double base = frame.height - (frame.is_small ? 8 : 26);
  double taken = 0;
  for (const auto& tick : x.ticks(x_texts(frame))) {
    const double at = x.at(tick.value);
    out.add(Stroke{{{at, frame.top}, {at, frame.bottom}}, Paint::grid, 1});
    if (!chart.errors.empty())
      out.add(Stroke{{{at, frame.error_top}, {at, bottom}}, Paint::grid, 1});
    const double half = width_of(tick.text, size) / 2;
    if (at - half < taken) // two texts would touch
      continue;
    taken = at + half + 4;
    out.add(Text{{std::min(at, frame.right + 12 - half), base}, tick.text, Anchor::middle, Paint::muted, size});
  }
  if (frame.is_small)
    return;
  out.add(Text{{frame.left - 50, frame.top - 8}, chart.y_name, Anchor::start, Paint::muted, font});
  out.add(Text{{(frame.left + frame.right) / 2, frame.height - 8}, chart.x_name, Anchor::middle, Paint::muted, font});
}

void draw_legend(const CurveChart& chart, const Frame& frame, Drawing& out) {
  double y = 12;
  for (const auto& row : legend_rows(chart, frame.right - frame.left)) {
    double x = frame.left;
    for (const auto index : row) {
      const auto& curves = chart.curves[index];
      if (curves.has_line)
        out.add(Stroke{{{x, y - 4}, {x + 22, y - 4}}, curves.paint, 2});
      if (curves.dots)
        out.add(Dot{{x + 11, y - 4}, 4, curves.paint, *curves.dots});
      out.add(Text{{x + 28, y}, curves.name});
      x += 30 + width_of(curves.name, font) + 14;
    }
    y += line;
  }
}

void draw_curves(const Curves& curves, const Frame& frame, const Axis& x, const Axis& y, Drawing& out) {
  Stroke stroke{{}, curves.paint, frame.is_small ? 1.6 : 2, false};
  for (const auto& point : curves.points)
    if (x.has(point.x) && y.has(point.y))
      stroke.spots.push_back({x.at(point.x), y.at(point.y)});
  if (curves.has_line && stroke.spots.size() > 1)
    out.add(stroke);
  const double radius = frame.is_small ? 2.2 : curves.dots ? 4 : 2.4;
  for (const auto& point : curves.points)
    if (x.has(point.x) && y.has(point.y))
      out.add(Dot{{x.at(point.x), y.at(point.y)}, radius, curves.paint, curves.dots.value_or(DotForm::circle)},
              point.says);
}

void draw_range(const CurveChart& chart, const Axis& x, const Axis& y, Drawing& out) {
  Area area{{}, Paint::heat_0};
  for (const auto& each : chart.range)
    if (x.has(each.x) && y.has(each.low) && y.has(each.high)) {
      area.corners.insert(area.corners.begin(), {x.at(each.x), y.at(each.low)});
      area.corners.push_back({x.at(each.x), y.at(each.high)});
    }
  if (area.corners.size() > 2)
    out.add(area);
}

void draw_marks(const CurveChart& chart, const Frame& frame, const Axis& x, Drawing& out) {
  double row = 0;
  for (const auto& mark : chart.marks) {
    const double at = x.at(mark.x);
    out.add(Stroke{{{at, frame.top}, {at, frame.bottom}}, Paint::muted, 1.2, true}, mark.name);
    const bool is_right = at + width_of(mark.name, 11) + 6 < frame.right;
    out.add(Text{{is_right ? at + 4 : at - 4, frame.top + 12 + row * 13},
                 mark.name,
                 is_right ? Anchor::start : Anchor::end,
                 Paint::muted,
                 11});
    row = row < 3 ? row + 1 : 0;
  }
}

// Each band extends from its x to the next one's; the first extends to the left end.
void draw_bands(const CurveChart& chart, const Frame& frame, const Axis& x, Drawing& out) {
  for (std::size_t i = 0; i < chart.bands.size(); ++i) {
    const auto& band = chart.bands[i];
    const double from = i == 0 ? frame.left : x.at(band.from);
    const double to = i + 1 < chart.bands.size() ? x.at(chart.bands[i + 1].from) : frame.right;
    out.add(Rect{{from, frame.band_top}, to - from, line, Paint::panel, band.paint, 2}, band.name);
    out.add(Rect{{from, frame.band_top}, std::min(5.0, to - from), line, band.paint, {}, 0});
    if (width_of("…", 11) + 14 < to - from)
      out.add(
          Text{{from + 9, frame.band_top + 12}, fitted(band.name, to - from - 12, 11), Anchor::start, Paint::ink, 11});
  }
}

void draw_errors(const CurveChart& chart, const Frame& frame, const Axis& x, Drawing& out) {
  const auto y = error_axis(chart, frame.error_bottom, frame.error_top);
  const double size = error_size(frame.is_small);
  for (const double value : {y.low(), 0.0, y.high()}) {
    out.add(
        Stroke{{{frame.left, y.at(value)}, {frame.right, y.at(value)}}, value == 0 ? Paint::muted : Paint::grid, 1});
    out.add(Text{{frame.left - 6, y.at(value) + size / 3}, error_text(value), Anchor::end, Paint::muted, size});
  }
  if (!frame.is_small)
    out.add(Text{{frame.left - 50, frame.error_top - 8}, "error of the prediction", Anchor::start, Paint::muted, font});
  for (const auto& error : chart.errors) {
    if (!x.has(error.x))
      continue;
    const double at = x.at(error.x);
    const double half = frame.is_small ? 1.5 : 4;
    const double top = std::min(y.at(0), y.at(error.y));
    out.add(Rect{{at - half, top}, 2 * half, std::max(1.0, std::abs(y.at(error.y) - y.at(0))), Paint::series_1, {}, 1},
            error.says);
  }
}

} // namespace

std::vector<double> values_of(const CurveChart& chart, double ChartPoint::*member) {
  std::vector<double> values;
  for (const auto& curves : chart.curves)
    for (const auto& point : curves.points)
      values.push_back(point.*member);
  return values;
}

Drawing draw(const CurveChart& chart, double width) {
  const auto frame = frame_of(chart, width);
  auto sizes = values_of(chart, &ChartPoint::x);
  Drawing out{width, frame.height, chart.says, {}};
  const Axis x(chart.x_form, sizes, frame.left + 6, frame.right - 6);
  const auto y = y_axis(chart, frame.bottom, frame.top);
  draw_range(chart, x, y, out);
  draw_grid(chart, frame, x, y, out);
  draw_marks(chart, frame, x, out);
  for (const auto& curves : chart.curves)
    draw_curves(curves, frame, x, y, out);
  draw_bands(chart, frame, x, out);
  if (!chart.errors.empty())
    draw_errors(chart, frame, x, out);
  if (frame.is_small)
    out.add(Text{{2, 12}, fitted(chart.title, width - 4, 11.5), Anchor::start, Paint::ink, 11.5, true});
  else
    draw_legend(chart, frame, out);
  return out;
}

Drawing draw(const std::vector<CurveChart>& charts, const std::string& says, double width) {
  constexpr double least = 230;
  const double columns = std::clamp(std::floor(width / least), 1.0, std::max(1.0, static_cast<double>(charts.size())));
  const double column = width / columns;
  Drawing whole{width, 0, says, {}};
  double x = 0;
  double y = 0;
  for (const auto& chart : charts) {
    const auto part = draw(chart, column - 8);
    if (x + column > width + 1) {
      x = 0;
      y = whole.height;
    }
    place(part, {x, y}, whole);
    x += column;
    whole.height = std::max(whole.height, y + part.height + 10);
  }
  return whole;
}

} // namespace kakehashi
