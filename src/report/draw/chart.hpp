// Curves over sizes: lines, measured points over them, bands of winners, and errors below.
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
  std::optional<DotForm> dots; // none: small ones that only say what is there
};

// A band: a text that holds from one x up to the next band.
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

// Between what values at an x most likely are.
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
  std::vector<ChartBand> bands;   // below the curves; none: there is no row for them
  std::vector<ChartPoint> errors; // in percent; none: there is no panel for them
  std::string title;              // small multiples have one inside
};

// Of all points.
std::vector<double> values_of(const CurveChart& chart, double ChartPoint::*member);

Drawing draw(const CurveChart& chart, double width);

// The same charts side by side, as many as fit; each with its title.
Drawing draw(const std::vector<CurveChart>& charts, const std::string& says, double width);

} // namespace kakehashi
