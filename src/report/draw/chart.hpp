// Curves over sizes: lines, measured points, bands of winners, and errors below.
#pragma once

#include "report/draw/axis.hpp"
#include "report/draw/drawing.hpp"

#include <ostream>

namespace kakehashi {

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string says;
};

struct Curves {
  std::string name;
  std::vector<ChartPoint> points; // points by x
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
  std::vector<ChartRange> range; // range by x; shaded behind the curves
  std::vector<ChartMark> marks;
  std::vector<ChartBand> bands;   // below the curves; empty: there is no such row
  std::vector<ChartPoint> errors; // in percent; empty: there is no such panel
  std::string title;              // title of small charts, written inside
};

// Returns this member of all points.
std::vector<double> values_of(const CurveChart& chart, double ChartPoint::*member);

Drawing draw(const CurveChart& chart, double width);

// Draws charts side by side, as many as fit; each has its title.
Drawing draw(const std::vector<CurveChart>& charts, const std::string& says, double width);

// Many values → how many there are in each range, with some of them named.
struct MarkedValue {
  double value = 0;
  std::string name; // "best"
  std::string says;
  Paint paint = Paint::ink;
};

struct Histogram {
  std::string says;
  std::string x_name;
  std::string count_name; // "candidates"
  std::vector<double> values;
  std::vector<MarkedValue> named;
};

struct HistogramBin {
  double from = 0;
  double to = 0;
  std::size_t count = 0;
};
// Divides the values between the least and the greatest into equal ranges. A value on a border belongs to the upper
// range.
std::vector<HistogramBin> bins_of(std::span<const double> values, std::size_t most);

Drawing draw(const Histogram& histogram, double width);

// Amounts between any two of some places → a square of coloured fields.
struct MatrixField {
  std::size_t row = 0;
  std::size_t column = 0;
  double value = 0; // above 0; missing fields are empty
  std::string says;
};
struct MatrixChart {
  std::string says;
  std::vector<std::string> names; // names of rows and columns
  std::string row_name;           // "sends"
  std::string column_name;        // "receives"
  std::vector<MatrixField> fields;
};

// There are five colours, each for a fifth of the logarithmic range between the least and the greatest value.
Drawing draw(const MatrixChart& chart, double width);

// A chart of curves → lines of text, for a terminal.

// Writes the chart in colour, at most `columns` wide; `columns` is at least 40.
void write_text(const CurveChart& chart, std::size_t columns, std::ostream& out);

} // namespace kakehashi
