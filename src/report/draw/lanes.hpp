// Bars in lanes, one below the other: waterfalls, shares of time, effects, intervals with a value in them.
#pragma once

#include "report/draw/axis.hpp"
#include "report/draw/drawing.hpp"

namespace kakehashi {

struct LaneBar {
  double from = 0;
  double to = 0;
  Paint paint = Paint::series_0;
  std::string says;
  bool is_thin = false; // an interval in which a value may be
};
struct LaneDot {
  double at = 0;
  Paint paint = Paint::ink;
  DotForm form = DotForm::circle;
  std::string says;
};
struct ChartLane {
  std::string name;
  std::vector<LaneBar> bars;
  std::vector<LaneDot> dots;
  std::string note; // after the bars
};
struct LaneKey { // an entry of the legend
  std::string name;
  Paint paint = Paint::series_0;
};

struct LaneChart {
  std::string says;
  std::string x_name;
  std::vector<ChartLane> lanes;
  std::vector<LaneKey> keys;
  AxisForm form = AxisForm::linear;
  bool has_axis = true;             // false: lanes have scales of their own, and notes state the values
  std::optional<double> limit = {}; // the end of the axis; longer bars are broken there
};

Drawing draw(const LaneChart& chart, double width);

} // namespace kakehashi
