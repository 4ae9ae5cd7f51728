#include "report/draw/chart.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <fmt/ostream.h>

namespace kakehashi {
namespace {

constexpr std::size_t height = 14;
constexpr std::size_t margin = 10; // columns for the numbers of the vertical axis

// A character, and the curve that gives its colour.
struct Mark {
  char sign = ' ';
  std::size_t curve = 0;
};

constexpr std::array marks{'*', 'o', '+', 'x', '#', '@', '%', '&'};
constexpr std::array colours{34, 33, 32, 35, 36, 31}; // the terminal's

std::string painted(const std::string& text, std::size_t curve) {
  return fmt::format("\033[{}m{}\033[0m", colours[curve % colours.size()], text);
}

class Grid {
public:
  explicit Grid(std::size_t width) : width_(width), marks_(height * width) {}

  // Marks outside the grid are left out.
  void put(double column, double row, Mark mark) {
    const auto x = std::lround(column);
    const auto y = std::lround(row);
    if (x >= 0 && y >= 0 && x < static_cast<long>(width_) && y < static_cast<long>(height))
      marks_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)] = mark;
  }
  std::string line(std::size_t row) const {
    std::string text;
    const auto* signs = &marks_[row * width_];
    for (std::size_t x = 0, end = 0; x < width_; x = end) {
      std::string run;
      for (end = x; end < width_ && signs[end].sign != ' ' && signs[end].curve == signs[x].curve; ++end)
        run += signs[end].sign;
      text += run.empty() ? " " : painted(run, signs[x].curve);
      end += run.empty();
    }
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

private:
  std::size_t width_;
  std::vector<Mark> marks_;
};

struct Place {
  double column = 0;
  double row = 0;
};

std::vector<Place> places_of(const Curves& curve, const Axis& x, const Axis& y) {
  std::vector<Place> places;
  for (const auto& point : curve.points)
    if (x.has(point.x) && y.has(point.y))
      places.push_back({x.at(point.x), y.at(point.y)});
  return places;
}

// Draws all lines first, so that none hides a point.
void draw_curves(const std::vector<Curves>& curves, const Axis& x, const Axis& y, Grid& grid) {
  for (std::size_t number = 0; number < curves.size(); ++number) {
    const auto places = places_of(curves[number], x, y);
    for (std::size_t i = 0; curves[number].has_line && i + 1 < places.size(); ++i) {
      const auto& [from, to] = std::tie(places[i], places[i + 1]);
      const double slope = (to.row - from.row) / (to.column - from.column);
      for (double column = std::ceil(from.column); column < to.column; ++column)
        grid.put(column, from.row + slope * (column - from.column), {'.', number});
    }
  }
  for (std::size_t number = 0; number < curves.size(); ++number)
    for (const auto& place : places_of(curves[number], x, y))
      grid.put(place.column, place.row, {marks[number % marks.size()], number});
}

// Returns the numbers below the grid, each under its tick if there is room.
std::string names_below(const Axis& x, std::size_t width) {
  std::string text(margin, ' ');
  for (const auto& tick : x.ticks(std::max<std::size_t>(width / 10, 2))) {
    const auto at = margin + static_cast<std::size_t>(std::lround(x.at(tick.value)));
    if (tick.text.empty() || at < text.size() + (text.size() > margin ? 1 : 0))
      continue;
    text.resize(at, ' ');
    text += tick.text;
  }
  return text;
}

} // namespace

void write_text(const CurveChart& chart, std::size_t columns, std::ostream& out) {
  assert(columns >= 40);
  const auto width = std::min<std::size_t>(columns, 100) - margin - 2;
  const Axis x(chart.x_form, values_of(chart, &ChartPoint::x), 0, static_cast<double>(width - 1));
  const Axis y(chart.y_form, values_of(chart, &ChartPoint::y), height - 1, 0);
  Grid grid(width);
  draw_curves(chart.curves, x, y, grid);
  std::array<std::string, height> numbers;
  for (const auto& tick : y.ticks(height / 2))
    if (const auto row = std::lround(y.at(tick.value)); row >= 0 && row < static_cast<long>(height))
      numbers[static_cast<std::size_t>(row)] = tick.text;
  fmt::print(out, "{:>{}}\n", chart.y_name, margin);
  for (std::size_t row = 0; row < height; ++row)
    fmt::print(out, "{:>{}} |{}\n", numbers[row], margin - 2, grid.line(row));
  fmt::print(out, "{:>{}}{}\n{}  {}\n", "+", margin, std::string(width, '-'), names_below(x, width), chart.x_name);
  std::string names;
  for (std::size_t i = 0; i < chart.curves.size(); ++i)
    names += fmt::format("{}{} {}", i > 0 ? "   " : "", painted(std::string(1, marks[i % marks.size()]), i),
                         chart.curves[i].name);
  fmt::print(out, "{:>{}}{}\n", "", margin, names);
}

} // namespace kakehashi
