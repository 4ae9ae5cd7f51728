#include "report/draw/matrix.hpp"

#include <algorithm>
#include <cmath>

namespace kakehashi {

Drawing draw(const MatrixChart& chart, double width) {
  const auto count = static_cast<double>(std::max<std::size_t>(1, chart.names.size()));
  const double left = 56;
  const double top = 40;
  const double side = std::min(width - left - 14, 420.0);
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
  const auto stride = static_cast<std::size_t>(std::ceil(22 / pitch)); // of names, so that they do not touch
  for (std::size_t i = 0; i < chart.names.size(); i += stride) {
    const double at = pitch * (static_cast<double>(i) + 0.5);
    out.add(Text{{left + at, top - 6}, chart.names[i], Anchor::middle, Paint::muted, 10});
    out.add(Text{{left - 6, top + at + 4}, chart.names[i], Anchor::end, Paint::muted, 10});
  }
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
