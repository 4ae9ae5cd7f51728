#include "report/draw/chart.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kakehashi {
namespace {

void draw_axes(const Histogram& histogram, const Axis& x, const Axis& y, double left, double right, Drawing& out) {
  const double bottom = y.at(0);
  for (const auto& tick : y.ticks(5)) {
    out.add(Stroke{{{left, y.at(tick.value)}, {right, y.at(tick.value)}}, Paint::grid, 1});
    if (tick.value == std::floor(tick.value))
      out.add(Text{{left - 6, y.at(tick.value) + 4}, tick.text, Anchor::end, Paint::muted});
  }
  for (const auto& tick : x.ticks(static_cast<std::size_t>((right - left) / 64)))
    out.add(Text{{x.at(tick.value), bottom + 16}, tick.text, Anchor::middle, Paint::muted});
  out.add(Text{{8, 12}, histogram.count_name, Anchor::start, Paint::muted});
  out.add(Text{{(left + right) / 2, bottom + 34}, histogram.x_name, Anchor::middle, Paint::muted});
}

// Puts names in rows above the bars, so that they do not touch.
void draw_named(const Histogram& histogram, const Axis& x, double bottom, double top, double right, Drawing& out) {
  double row = 0;
  for (const auto& named : histogram.named) {
    const double at = x.at(named.value);
    const double y = top - 46 + 15 * row++;
    out.add(Stroke{{{at, y + 3}, {at, bottom}}, named.paint, 2, true}, named.says);
    const bool is_right = at + width_of(named.says, 12) + 8 < right;
    out.add(Text{{is_right ? at + 5 : at - 5, y + 8},
                 named.says,
                 is_right ? Anchor::start : Anchor::end,
                 named.paint,
                 12,
                 true});
  }
}

} // namespace

std::vector<HistogramBin> bins_of(std::span<const double> values, std::size_t most) {
  if (values.empty())
    return {};
  const auto [least, greatest] = std::ranges::minmax(values);
  const auto count = greatest > least ? std::max<std::size_t>(1, most) : 1;
  const double width = greatest > least ? (greatest - least) / static_cast<double>(count) : std::max(1.0, least) * 1e-3;
  std::vector<HistogramBin> bins;
  for (std::size_t i = 0; i < count; ++i)
    bins.push_back({least + width * static_cast<double>(i), least + width * static_cast<double>(i + 1), 0});
  for (const double value : values)
    ++bins[std::min(count - 1, static_cast<std::size_t>((value - least) / width))].count;
  return bins;
}

Drawing draw(const Histogram& histogram, double width) {
  const double left = 52;
  const double right = width - 16;
  const double top = 70;
  const double bottom = top + (width < 500 ? 150 : 190);
  const auto bins = bins_of(histogram.values, width < 500 ? 24 : 48);
  std::vector<double> counts;
  std::vector<double> places;
  for (const auto& bin : bins) {
    counts.push_back(static_cast<double>(bin.count));
    places.insert(places.end(), {bin.from, bin.to});
  }
  Drawing out{width, bottom + 44, histogram.says, {}};
  const Axis x(AxisForm::range, places, left, right);
  const Axis y(AxisForm::linear, counts, bottom, top);
  draw_axes(histogram, x, y, left, right, out);
  for (const auto& bin : bins)
    if (bin.count > 0) {
      const double from = x.at(bin.from);
      const double height = bottom - y.at(static_cast<double>(bin.count));
      out.add(Rect{{from, bottom - height}, std::max(2.5, x.at(bin.to) - from - 1), height, Paint::series_0, {}, 0},
              fmt::format("{:.6g} to {:.6g}: {} {}", bin.from, bin.to, bin.count, histogram.count_name));
    }
  draw_named(histogram, x, bottom, top, right, out);
  return out;
}

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
