// Curves over sizes: lines, measured points, bands of winners, and errors below.
#pragma once

#include "report/draw/axis.hpp"
#include "report/draw/drawing.hpp"

namespace kakehashi {

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string says;
};

struct Curves {
  std::string name;
  std::vector<ChartPoint> points; // by x
  Paint paint = Paint::series_0;
  bool has_line = true;
  std::optional<DotForm> dots; // none: small dots that only carry texts
};

// A text that holds from one x up to the next band.
struct ChartBand {
  double from = 0;
  std::string name;
  Paint paint = Paint::series_0;
};

// An x at which something changes.
struct ChartMark {
  double x = 0;
  std::string name;
};

// The range of most likely values at an x.
struct ChartRange {
  double x = 0;
  double low = 0;
  double high = 0;
};

struct CurveChart {
  std::string says;
  std::string x_name; // "size (B)"
  std::string y_name;
  AxisForm x_form = AxisForm::sizes;
  AxisForm y_form = AxisForm::logarithm;
  std::vector<Curves> curves;
  std::vector<ChartRange> range; // by x; shaded behind the curves
  std::vector<ChartMark> marks;
  std::vector<ChartBand> bands;   // below the curves; empty: there is no such row
  std::vector<ChartPoint> errors; // in percent; empty: there is no such panel
  std::string title;              // of small charts, written inside
};

// Returns this member of all points.
std::vector<double> values_of(const CurveChart& chart, double ChartPoint::*member);

Drawing draw(const CurveChart& chart, double width);

// Draws charts side by side, as many as fit; each has its title.
Drawing draw(const std::vector<CurveChart>& charts, const std::string& says, double width);

} // namespace kakehashi
