// Strokes, areas, boxes, dots and text in a frame. All charts are made of them, and they are written as SVG.
#pragma once

#include "report/draw/paint.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kakehashi {

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
