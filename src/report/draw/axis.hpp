// The values in a chart → their places on an axis, and the numbers written beside it.
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
  linear,    // from 0, or from the least value if that is negative
  range,     // from the least to the greatest value
  logarithm, // full decades
  sizes      // powers of 2, written as sizes of messages; 0 comes before them
};

class Axis {
public:
  // Maps to pixels `from` to `to`, of which either may be smaller. On a logarithmic axis only values above 0 count.
  Axis(AxisForm form, std::span<const double> values, double from, double to);

  double at(double value) const; // returns the pixel
  AxisForm form() const { return form_; }
  double low() const { return low_; }
  double high() const { return high_; }
  bool has(double value) const; // whether the axis has a place for the value
  // Returns ticks with at most `most` texts.
  std::vector<Tick> ticks(std::size_t most) const;

private:
  double scaled(double value) const;

  AxisForm form_;
  double low_ = 0;
  double high_ = 1;
  double from_;
  double to_;
  double start_;          // the pixel of low_; after the place of 0, if there is one
  bool has_zero_ = false; // an axis of sizes
};

// Writes "1 KiB" for 1024, "0.5", "20 000": short, and equal for equal values.
std::string axis_number(double value);
std::string axis_size(double bytes);

} // namespace kakehashi
