// Strokes, areas, boxes, dots and text in a frame. All charts are made of them, and they are written as SVG.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kakehashi {

// The colours of drawings and pages by their purpose: one row each, with its value on light and on dark paper.
enum class Paint {
  ink,
  muted,
  grid,
  paper,
  panel,
  good,
  bad,
  series_0, // eight series
  series_1,
  series_7 = series_0 + 7,
  use_0, // load of a link: five steps
  use_1,
  use_4 = use_0 + 4,
  heat_0, // amount between two places: five steps
  heat_4 = heat_0 + 4
};

struct PaintRow {
  std::string_view name; // name of the CSS variable and class
  std::string_view light;
  std::string_view dark;
};
inline constexpr std::array<PaintRow, 25> paint_rows{{
    {"ink", "#1c2430", "#e6eaf0"},   {"muted", "#586474", "#a3afbf"}, {"grid", "#dde2e9", "#343d4a"},
    {"paper", "#ffffff", "#14181f"}, {"panel", "#f4f6f9", "#1d232c"}, {"good", "#217a41", "#6fcf8f"},
    {"bad", "#b3261e", "#ff8a80"},   {"s0", "#1f6fb2", "#6cb2f0"},    {"s1", "#c2560c", "#f2955a"},
    {"s2", "#2b8a4b", "#6fcf8f"},    {"s3", "#8250a8", "#c39be8"},    {"s4", "#8f6c00", "#d9b44a"},
    {"s5", "#0f8080", "#5fcfcf"},    {"s6", "#b0357a", "#f08fc0"},    {"s7", "#66707d", "#a9b4c2"},
    {"u0", "#b4bcc8", "#566170"},    {"u1", "#6d9fd0", "#5b93c9"},    {"u2", "#d1a112", "#d9b02e"},
    {"u3", "#dd6f1f", "#f08a3c"},    {"u4", "#b8202a", "#ff5f5f"},    {"h0", "#dbe8f5", "#1d3047"},
    {"h1", "#a9cbea", "#27507a"},    {"h2", "#6ba3d6", "#3a75ad"},    {"h3", "#2f74b5", "#5fa0dc"},
    {"h4", "#123f73", "#b3d6f9"},
}};

constexpr const PaintRow& row_of(Paint paint) {
  return paint_rows[static_cast<std::size_t>(paint)];
}

// The ninth series looks like the first.
constexpr Paint series_paint(std::size_t index) {
  return static_cast<Paint>(static_cast<std::size_t>(Paint::series_0) + index % 8);
}
// Turns a share from 0 to 1 into one of five steps.
constexpr Paint step_paint(Paint first, double share) {
  const double step = share * 5;
  return static_cast<Paint>(static_cast<int>(first) + (step < 0 ? 0 : step >= 5 ? 4 : static_cast<int>(step)));
}

// In pixels, from the upper left corner.
struct Spot {
  double x = 0;
  double y = 0;
  bool operator==(const Spot&) const = default;
};

struct Stroke {
  std::vector<Spot> spots;
  Paint paint = Paint::ink;
  double width = 1;
  bool is_dashed = false;
};
struct Area {
  std::vector<Spot> corners;
  Paint paint = Paint::panel;
};
struct Rect {
  Spot corner; // upper left
  double width = 0;
  double height = 0;
  std::optional<Paint> fill;
  std::optional<Paint> edge;
  double radius = 0;
};
// Forms differ, so that series can be distinguished without colour.
enum class DotForm { circle, square, diamond, triangle, wedge, ring, open_square, open_diamond, open_triangle };
inline constexpr std::size_t dot_forms = 9;
struct Dot {
  Spot at;
  double radius = 3.5;
  Paint paint = Paint::ink;
  DotForm form = DotForm::circle;
};
enum class Anchor { start, middle, end };
struct Text {
  Spot at; // on the base line
  std::string text;
  Anchor anchor = Anchor::start;
  Paint paint = Paint::ink;
  double size = 12;
  bool is_bold = false;
};

struct Shape {
  std::variant<Stroke, Area, Rect, Dot, Text> form;
  std::string says; // shown to a reader who points at the shape; empty: it only decorates
};

struct Drawing {
  double width = 0;
  double height = 0;
  std::string says; // what the drawing shows, in a sentence, for readers who cannot see it
  std::vector<Shape> shapes;

  // Moves or shortens a text that would leave the drawing at a side.
  void add(std::variant<Stroke, Area, Rect, Dot, Text> form, std::string what = "");
};

// Puts a drawing into another one, with its corner at this place.
void place(const Drawing& part, Spot corner, Drawing& whole);

// Returns the width of a text in the widest font that pages use.
double width_of(const std::string& text, double size);
// Returns as much of the text as fits, with "…" if some is left out.
std::string fitted(const std::string& text, double width, double size);

} // namespace kakehashi
