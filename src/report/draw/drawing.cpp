#include "report/draw/drawing.hpp"

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

// Counts the bytes that begin a character of UTF-8.
std::size_t characters(const std::string& text) {
  std::size_t count = 0;
  for (const char byte : text)
    count += (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
  return count;
}

} // namespace

void place(const Drawing& part, Spot corner, Drawing& whole) {
  for (auto shape : part.shapes) {
    std::visit(Shifted{corner}, shape.form);
    whole.shapes.push_back(std::move(shape));
  }
}

double width_of(const std::string& text, double size) {
  constexpr double mean_width = 0.6; // of a character, relative to the font's size
  return mean_width * size * static_cast<double>(characters(text));
}

std::string fitted(const std::string& text, double width, double size) {
  if (width_of(text, size) <= width)
    return text;
  auto shorter = text;
  while (!shorter.empty() && width_of(shorter, size) + width_of("…", size) > width) {
    while (shorter.size() > 1 && (static_cast<unsigned char>(shorter.back()) & 0xc0) == 0x80)
      shorter.pop_back();
    shorter.pop_back();
  }
  return shorter + "…";
}

} // namespace kakehashi
