#include "report/draw/drawing.hpp"

#include <algorithm>
#include <array>

namespace kakehashi {
namespace {

void shift(Spot& spot, Spot by) {
  spot.x += by.x;
  spot.y += by.y;
}

struct Shifted {
  Spot by;
  void operator()(Stroke& stroke) const {
    for (auto& spot : stroke.spots)
      shift(spot, by);
  }
  void operator()(Area& area) const {
    for (auto& corner : area.corners)
      shift(corner, by);
  }
  void operator()(Rect& box) const { shift(box.corner, by); }
  void operator()(Dot& dot) const { shift(dot.at, by); }
  void operator()(Text& text) const { shift(text.at, by); }
};

// Advance widths of DejaVu Sans, in hundredths of the font's size, from the blank to "~". Measured in Chromium.
constexpr char first_measured = ' ';
constexpr std::array<int, 95> advances{32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36,  32, 34, 64, 64, 64,
                                       64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63,
                                       58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63,  61, 73, 68, 99, 69,
                                       61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,  63, 63, 28, 28, 58,
                                       28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59,  52, 64, 34, 64, 84};

bool begins_character(char byte) { // a character of UTF-8
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

Text inside(Text text, double width) {
  constexpr double margin = 2;
  text.text = fitted(text.text, width - 2 * margin, text.size);
  const double own = width_of(text.text, text.size) * (text.is_bold ? 1.12 : 1);
  const double before = text.anchor == Anchor::start ? 0 : text.anchor == Anchor::middle ? own / 2 : own;
  text.at.x = std::max(margin + before, std::min(text.at.x, width - margin - own + before));
  return text;
}

} // namespace

void Drawing::add(std::variant<Stroke, Area, Rect, Dot, Text> form, std::string what) {
  if (auto* text = std::get_if<Text>(&form))
    *text = inside(std::move(*text), width);
  shapes.push_back({std::move(form), std::move(what)});
}

void place(const Drawing& part, Spot corner, Drawing& whole) {
  for (auto shape : part.shapes) {
    std::visit(Shifted{corner}, shape.form);
    whole.shapes.push_back(std::move(shape));
  }
}

double width_of(const std::string& text, double size) {
  int hundredths = 0;
  for (const char byte : text)
    if (const auto place = static_cast<std::size_t>(byte - first_measured); place < advances.size())
      hundredths += advances[place];
    else if (begins_character(byte)) // a letter with an accent, or a sign or letter of other scripts
      hundredths += static_cast<unsigned char>(byte) < 0xe0 ? 64 : 100;
  return size * hundredths / 100;
}

std::string fitted(const std::string& text, double width, double size) {
  if (width_of(text, size) <= width)
    return text;
  auto shorter = text;
  while (!shorter.empty() && width_of(shorter, size) + width_of("…", size) > width) {
    while (shorter.size() > 1 && !begins_character(shorter.back()))
      shorter.pop_back();
    shorter.pop_back();
  }
  return shorter + "…";
}

} // namespace kakehashi
