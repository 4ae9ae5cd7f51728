// The result of a calibration: regimes, how well they agree with the curves, and how certain each parameter is.
#pragma once

#include "model/platform.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

struct CalibratedCurve {
  std::string name;
  std::size_t points = 0;
  double mean = 0; // mean of |error|
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
  double low = 0; // the true value lies between low and high in four of five cases, whatever the other parameters are
  double high = 0;
};

// The adjustments of a fabric, with fitted amounts.
struct TunedAdjustments {
  std::vector<std::size_t> indices;
  std::vector<Adjustment> adjustments;
  std::vector<CalibratedCurve> curves; // the bandwidth curves, from 8 B on
};

// A rule for all scopes that is replaced by one rule for each of `scopes`, because tests of several scopes use it.
struct RuleSplit {
  std::string fabric;
  std::size_t rule = 0;
  std::vector<Scope> scopes;
};

// A field of devices that limits pairs of ranks together.
struct SharedLimit {
  std::vector<std::string> devices; // the devices that have the field
  std::string field;
  std::string value;     // as the platform file has it
  double amount = 0;     // messages/s, or MB/s
  std::string from;      // the log's name
  std::string evidence;  // what shows that this is the limit, or that it may not be
  bool is_limit = false; // false: the amount is only the least that the devices reach
};

struct CalibrationRecord {
  std::optional<Scope> scope;               // scope of the paths that were fitted
  std::vector<std::vector<Regime>> regimes; // regimes for each path class
  std::vector<std::size_t> rules;           // the rule of the fabric for each path class
  std::vector<CalibratedCurve> curves;
  std::vector<CalibratedParameter> parameters;
  std::size_t free_parameters = 0;
  std::size_t points = 0; // points that were fitted, over all curves
  std::vector<std::string> warnings;
  // The largest difference between closed form and simulation; none: nothing was simulated.
  std::optional<double> disagreement;
};

// What logs of collective operations show of a platform, beyond logs of messages between two ranks.

// A log and its errors, which are means of |error|.
struct CollectiveLog {
  std::string name; // includes the operation and the number of ranks
  std::size_t points = 0;
  double before = 0;
  double after = 0;
  std::optional<double> held_out; // error by a fit without this log, or by fits to half of its sizes for the other
                                  // half; none: nothing was held out
};

struct CollectiveField {
  SharedLimit limit;  // the value found; is_limit: the platform gets it. Without devices it belongs to the MPI library.
  double change = 1;  // factor from the value before; 1: there was none
  std::string before; // the value before, as the platform file would state it
  std::string low, high;  // the true value lies between them in four of five cases; empty: the logs give no such bound
  std::string obstacle{}; // why the field keeps its value
  DeviceKind kind = DeviceKind::cpu;  // the kind of device whose time the MPI library's field states
  std::vector<std::string> fabrics{}; // those whose rules have it; empty: a device or the library has it
};

struct CollectiveFit {
  std::string release{}; // of the GPUs' library, if the logs or the platform state it; the numbers hold for it
  std::vector<CollectiveLog> logs;
  std::vector<CollectiveField> fields;
};

} // namespace kakehashi
