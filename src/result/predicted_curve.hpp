// A curve that a run gave, size by size, beside the measured one.
#pragma once

#include "model/scenario.hpp"

namespace kakehashi {

struct PredictedPoint {
  std::uint64_t size = 0;
  double predicted = 0; // us or MB/s, by the metric
  std::optional<double> measured;
  std::optional<double> error;
  static constexpr auto fields(auto& self) {
    auto& [size, predicted, measured, error] = self;
    return std::tie(size, predicted, measured, error);
  }
};

struct PredictedCurve {
  std::string platform;
  std::string name;
  Metric metric = Metric::time;
  CurveUse use = CurveUse::prediction;
  std::vector<PredictedPoint> points; // points by size
};

} // namespace kakehashi
