#include "report/draw/lanes.hpp"

#include <algorithm>
#include <limits>

namespace kakehashi {
namespace {

constexpr double lane_font = 12;

struct LaneFrame {
  bool names_above; // above the bars, if there is little room
  bool notes_above; // at the right end above the bars
  double left, right, top, pitch, bar;
  double note; // where notes begin
};

LaneFrame frame_of(const LaneChart& chart, double width) {
  double names = 0;
  double notes = 0;
  for (const auto& lane : chart.lanes) {
    names = std::max(names, width_of(lane.name, lane_font));
    notes = std::max(notes, width_of(lane.note, lane_font));
  }
  LaneFrame frame{};
  frame.names_above = names > 0.42 * width;
  frame.notes_above = frame.names_above && notes > 0.2 * width;
  if (frame.notes_above)
    notes = 0;
  frame.left = frame.names_above ? 8 : names + 14;
  frame.right = width - (notes > 0 ? std::min(notes, 0.45 * width) + 12 : 28);
  frame.note = frame.right + 8;
  frame.top = 8;
  frame.bar = 14;
  frame.pitch = frame.names_above ? 38 : 22;
  return frame;
}

// Returns the y at which the keys end.
double draw_keys(const LaneChart& chart, double width, Drawing& out) {
  if (chart.keys.empty())
    return 0;
  double x = 8;
  double y = 14;
  for (const auto& key : chart.keys) {
    const double wanted = 34 + width_of(key.name, lane_font);
    if (x > 8 && x + wanted > width) {
      x = 8;
      y += 18;
    }
    out.add(Rect{{x, y - 10}, 12, 12, key.paint, {}, 2});
    out.add(Text{{x + 17, y}, key.name});
    x += wanted;
  }
  return y + 6;
}

void draw_words(const ChartLane& lane, const LaneFrame& frame, double y, double middle, double width, Drawing& out) {
  const bool has_note = !lane.note.empty();
  const double note = has_note && frame.notes_above ? width_of(lane.note, lane_font) + 10 : 0;
  if (frame.names_above)
    out.add(Text{{frame.left, y + 11}, fitted(lane.name, width - frame.left - 4 - note, lane_font)});
  else
    out.add(Text{{frame.left - 8, middle + 4}, lane.name, Anchor::end});
  if (has_note && frame.notes_above)
    out.add(Text{{width - 6, y + 11}, lane.note, Anchor::end, Paint::muted});
  else if (has_note)
    out.add(
        Text{{frame.note, middle + 4}, fitted(lane.note, width - frame.note, lane_font), Anchor::start, Paint::muted});
}

void draw_lane(const ChartLane& lane, const LaneFrame& frame, double y, const Axis& axis, double width, Drawing& out) {
  const double middle = (frame.names_above ? y + 17 : y) + frame.bar / 2;
  draw_words(lane, frame, y, middle, width, out);
  for (const auto& bar : lane.bars) {
    const double end = axis.at(std::min(bar.to, axis.high()));
    const double from = std::min(axis.at(bar.from), end);
    const double to = std::max(axis.at(bar.from), end);
    const double height = bar.is_thin ? 6 : frame.bar;
    out.add(Rect{{from, middle - height / 2}, std::max(1.0, to - from), height, bar.paint, {}, 1.5}, bar.says);
    if (bar.to > 1.001 * axis.high())
      out.add(Stroke{{{to - 12, middle + height / 2 + 1}, {to - 7, middle - height / 2 - 1}}, Paint::paper, 3});
  }
  for (const auto& dot : lane.dots)
    out.add(Dot{{axis.at(dot.at), middle}, 4.5, dot.paint, dot.form}, dot.says);
}

} // namespace

Drawing draw(const LaneChart& chart, double width) {
  Drawing out{width, 0, chart.says, {}};
  auto frame = frame_of(chart, width);
  frame.top += draw_keys(chart, width, out);
  const double limit = chart.limit.value_or(std::numeric_limits<double>::infinity());
  std::vector<double> values;
  for (const auto& lane : chart.lanes) {
    for (const auto& bar : lane.bars)
      values.insert(values.end(), {bar.from, std::min(bar.to, limit)});
    for (const auto& dot : lane.dots)
      values.push_back(dot.at);
  }
  const Axis axis(chart.form, values, frame.left, frame.right);
  const double bottom = frame.top + frame.pitch * static_cast<double>(chart.lanes.size());
  const auto room = static_cast<std::size_t>(std::max(2.0, (frame.right - frame.left) / 60));
  if (chart.has_axis)
    for (const auto& tick : axis.ticks(room)) {
      const double at = axis.at(tick.value);
      out.add(Stroke{{{at, frame.top - 4}, {at, bottom}}, tick.value == 0 ? Paint::muted : Paint::grid, 1});
      out.add(Text{{at, bottom + 14}, tick.text, Anchor::middle, Paint::muted, 11});
    }
  double y = frame.top;
  for (const auto& lane : chart.lanes) {
    draw_lane(lane, frame, y, axis, width, out);
    y += frame.pitch;
  }
  out.height = bottom + 6;
  if (chart.has_axis) {
    const auto name = fitted(chart.x_name, width, lane_font);
    const double half = width_of(name, lane_font) / 2;
    const double middle = std::clamp((frame.left + frame.right) / 2, half, std::max(half, width - half));
    out.add(Text{{middle, bottom + 31}, name, Anchor::middle, Paint::muted, lane_font});
    out.height = bottom + 40;
  }
  return out;
}

} // namespace kakehashi
