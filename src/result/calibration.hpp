// The result of a calibration: regimes, how well they meet the curves, and how sure each parameter is.
#pragma once

#include "model/platform.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct CalibratedCurve {
  std::string name;
  std::size_t points = 0;
  double mean = 0; // of |error|
  double worst = 0;
  Bytes worst_size;
  std::vector<Bytes> outliers;           // sizes with an error above 25 %
  std::optional<double> cross_validated; // mean error on sizes that the fit did not see
};

struct CalibratedParameter {
  std::size_t regime = 0;
  std::string name;
  std::string unit;
  double value = 0;
  double low = 0; // between these in four of five cases, whatever the others are
  double high = 0;
};

// Adjustments of a fabric with the amounts that were fitted.
struct TunedAdjustments {
  std::vector<std::size_t> indices;
  std::vector<Adjustment> adjustments;
  std::vector<CalibratedCurve> curves; // bandwidths from 8 B on
};

// A rule of all scopes that gets one for each of these before it, since tests of several scopes use it.
struct RuleSplit {
  std::string fabric;
  std::size_t rule = 0;
  std::vector<Scope> scopes;
};

// A field of devices that pairs of ranks share.
struct SharedLimit {
  std::vector<std::string> devices; // that have it
  std::string field;
  std::string value;     // as the platform file has it
  double amount = 0;     // messages/s, or MB/s
  std::string from;      // name of the log
  std::string evidence;  // that it is the limit, or that it may not be
  bool is_limit = false; // else only what is reached at least
};

struct CalibrationRecord {
  std::optional<Scope> scope;               // of the paths
  std::vector<std::vector<Regime>> regimes; // for each path class
  std::vector<std::size_t> rules;           // the rule of the fabric that each path class stands for
  std::vector<CalibratedCurve> curves;
  std::vector<CalibratedParameter> parameters;
  std::size_t free_parameters = 0;
  std::size_t points = 0; // that were fitted, over all curves
  std::vector<std::string> warnings;
  std::optional<double> disagreement; // largest between closed form and simulation; none: not simulated
};

} // namespace kakehashi
