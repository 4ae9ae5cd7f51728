// Many values → how many there are in each range, with some of them named.
#pragma once

#include "report/draw/axis.hpp"
#include "report/draw/drawing.hpp"

namespace kakehashi {

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

} // namespace kakehashi
