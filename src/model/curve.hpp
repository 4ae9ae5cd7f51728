// A measured curve: what a benchmark printed for each message size.
#pragma once

#include "base/units.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// The compared quantity: times in microseconds, or bandwidths in the benchmark's MB/s.
enum class Metric { time, bandwidth };

// Whether a benchmark can have printed this time (us), bandwidth (MB/s) or message rate.
constexpr bool is_measurable(double value) {
  return value == 0 || (value >= 1e-9 && value <= 1e12);
}

struct CurvePoint {
  Bytes size;
  double value = 0; // us or MB/s
};

struct Curve {
  std::string name; // file name without folder and ending
  std::string file;
  Metric metric = Metric::time;
  std::vector<CurvePoint> points; // points by size

  std::optional<double> at(Bytes size) const {
    for (const auto& point : points)
      if (point.size == size)
        return point.value;
    return std::nullopt;
  }
};

} // namespace kakehashi
