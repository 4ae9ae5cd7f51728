#include "report/draw/matrix.hpp"

#include <algorithm>
#include <cmath>

namespace kakehashi {
namespace {

constexpr double name_size = 10;

} // namespace

Drawing draw(const MatrixChart& chart, double width) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, chart.names.size()));
  double widest = 0; // width of the longest name
  for (const auto& name : chart.names)
    widest = std::max(widest, width_of(name, name_size));
  const double left = std::max(56.0, widest + 8);
  const double top = 40;
  const double side = std::min(width - left - std::max(14.0, widest / 2), 420.0);
  const double pitch = std::min(40.0, side / count);
  double least = 0;
  double greatest = 0;
  for (const auto& field : chart.fields) {
    least = least > 0 ? std::min(least, field.value) : field.value;
    greatest = std::max(greatest, field.value);
  }
  Drawing out{width, top + pitch * count + 10, chart.says, {}};
  out.add(Text{{2, 13}, chart.row_name + " ↓, " + chart.column_name + " →", Anchor::start, Paint::muted, 11});
  out.add(Rect{{left, top}, pitch * count, pitch * count, Paint::panel, Paint::grid, 0});
  const auto names_at = [&](double room, const auto& write) { // writes as many names as fit
    const auto stride = static_cast<std::size_t>(std::ceil(room / pitch));
    for (std::size_t i = 0; i < chart.names.size(); i += stride)
      write(pitch * (static_cast<double>(i) + 0.5), chart.names[i]);
  };
  names_at(std::max(widest + 6, 22.0), [&](double at, const std::string& name) {
    out.add(Text{{left + at, top - 6}, name, Anchor::middle, Paint::muted, name_size});
  });
  names_at(22, [&](double at, const std::string& name) {
    out.add(Text{{left - 6, top + at + 4}, name, Anchor::end, Paint::muted, name_size});
  });
  const double gap = pitch > 8 ? 1 : 0;
  for (const auto& field : chart.fields) {
    const double share = greatest > least ? std::log(field.value / least) / std::log(greatest / least) : 1;
    out.add(Rect{{left + pitch * static_cast<double>(field.column) + gap,
                  top + pitch * static_cast<double>(field.row) + gap},
                 pitch - 2 * gap,
                 pitch - 2 * gap,
                 step_paint(Paint::heat_0, share),
                 {},
                 0},
            field.says);
  }
  return out;
}

} // namespace kakehashi
