// Strokes, boxes, dots and text in a frame: what all charts are made of, and what is written as SVG.
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
// Forms differ so that colour alone never tells series apart.
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
  std::string says; // what a reader learns who points at it; empty: it only decorates
};

struct Drawing {
  double width = 0;
  double height = 0;
  std::string says; // what it shows, in a sentence, for those who cannot see it
  std::vector<Shape> shapes;

  void add(std::variant<Stroke, Area, Rect, Dot, Text> form, std::string what = "") {
    shapes.push_back({std::move(form), std::move(what)});
  }
};

// Puts a drawing into another one, with its corner there.
void place(const Drawing& part, Spot corner, Drawing& whole);

// About how wide a text is in the fonts that pages use.
double width_of(const std::string& text, double size);
// So much of it as fits, with "…" if some is left out.
std::string fitted(const std::string& text, double width, double size);

} // namespace kakehashi
