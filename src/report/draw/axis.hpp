// The values that a chart has → where they stand on an axis, and which of them are written beside it.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace kakehashi {

struct Tick {
  double value = 0;
  std::string text; // empty: a line without a number
  bool operator==(const Tick&) const = default;
};

enum class AxisForm {
  linear,    // from 0, or from the least value if that is below
  range,     // from the least to the greatest value
  logarithm, // whole parts of decades
  sizes      // powers of 2, written as sizes of messages; 0 stands before them
};

class Axis {
public:
  // From pixel `from` to pixel `to`, which may be the smaller one. Of a logarithm only values above 0 count.
  Axis(AxisForm form, std::span<const double> values, double from, double to);

  double at(double value) const; // the pixel
  AxisForm form() const { return form_; }
  double low() const { return low_; }
  double high() const { return high_; }
  bool has(double value) const; // whether it has a place there
  // So many texts at most.
  std::vector<Tick> ticks(std::size_t most) const;

private:
  double scaled(double value) const;

  AxisForm form_;
  double low_ = 0;
  double high_ = 1;
  double from_;
  double to_;
  double start_;          // the pixel of low_: behind the place of 0, if there is one
  bool has_zero_ = false; // sizes
};

// "1 KiB" for 1024, "0.5", "20 000": short, and the same for the same value.
std::string axis_number(double value);
std::string axis_size(double bytes);

} // namespace kakehashi
