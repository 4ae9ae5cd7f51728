// What the fits have in common: runs of what was measured, and how these respond to parameters.
#pragma once

#include "base/error.hpp"
#include "calibration/fit_steps.hpp"
#include "model/scenario.hpp"
#include "result/calibration.hpp"
#include "result/log_explanation.hpp"
#include "result/predicted_curve.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <span>

namespace kakehashi {

// Benchmarks of collective operations → the numbers of their platform that messages between two ranks do not show.
struct OpenField {
  std::string name;                      // as in a platform file, below a device or below the root: "mpi/reduction"
  std::vector<std::string> devices;      // the devices that have it; empty: the MPI library
  std::optional<double> now;             // none: it limits nothing
  std::string_view without = "no limit"; // stands for `now` if that is none
  double usual = 0;                      // where a search begins: `now`, if there is one
  double most = HUGE_VAL;
  double scale = 1; // factor from the value to the number in `unit`
  std::string_view unit;
  std::function<void(Platform&, MpiSettings&, double)> set;

  std::string text(double value) const;
};

// Returns the fields of the ranks' devices and of their nodes' adapters; those that differ most between machines come
// first. The scenarios share a platform file.
std::vector<OpenField> open_fields(std::span<const Scenario> scenarios);

// Those of the library of collectives between GPUs; the scenarios are its benchmarks. None: they cannot run.
std::vector<OpenField> gpu_fields(std::span<const Scenario> scenarios);

// Returns the scenarios on a platform in which the field has this value.
std::vector<Scenario> with_value(const std::vector<Scenario>& scenarios, const OpenField& field, double value);

// Returns the fabrics of a scenario by whose rules cores copy payloads; and scenarios in which these copy each byte so
// often.
std::vector<std::string> copying_fabrics(const Scenario& scenario);
std::vector<Scenario> with_copies(const std::vector<Scenario>& scenarios, std::span<const std::string> fabrics,
                                  int copies);

// A field of a platform and measured times → the errors of simulated times, for any value of the field.

// For each scenario and point of its reference: ln(simulated / measured).
using Misses = std::vector<std::vector<double>>;

// Errors: those of the first scenario that cannot run.
Result<Misses> misses_of(const std::vector<Scenario>& scenarios, int jobs);

// Selects the points that count.
using Chosen = std::function<bool(std::size_t scenario, std::size_t point)>;

// Returns the mean over scenarios of their means of |simulated / measured - 1| over chosen points; 0: no point is
// chosen.
double mean_error(const Misses& misses, const Chosen& chosen);

Misses sum(Misses one, const Misses& other, double factor);

class Response {
public:
  explicit Response(std::map<double, Misses> misses)
      : misses_(std::move(misses)) {} // keys are the logarithms of the values

  Misses at(double logarithm) const; // interpolated linearly between two values
  // Returns the logarithm at which the errors of the chosen points are smallest after `added` has been added to them.
  double best(const Chosen& chosen, const Misses& added) const;
  // Returns how far up or down from there the squared errors stay within what they have in four of five cases; none: as
  // far as there are values.
  std::optional<double> bound(double best, double direction, const Chosen& chosen) const;
  // By how much the points of a scenario move, on average, from one end of the values to the other.
  double reach(std::size_t scenario) const;

private:
  std::map<double, Misses> misses_;

  double low() const { return misses_.begin()->first; }
  double high() const { return misses_.rbegin()->first; }
};

// Simulates values around a logarithm, close enough for linear interpolation. `there`: the errors at that logarithm, if
// they are known.
Result<Response> response_of(const std::vector<Scenario>& scenarios, const OpenField& field, double logarithm,
                             const Misses* there, bool is_fine, int jobs);

// A platform and a path on it → the single faults that it may have, as changes that can be made.
struct PlantableFault {
  std::string kind;  // narrow-link, slow-generation, slow-signalling, slow-link, small-packets, loaded-link,
                     // other-socket, other-fabric, fewer-adapters, half-memory, slow-cores or moved-limit
  std::string what;  // a short description that names the links or devices
  std::string check; // a check that would confirm it
  std::function<void(Platform&)> change; // may be empty
  std::function<void(Scenario&)> move;   // other ranks or another fabric; may be empty
};

// Describes a link by its data sheet: "pcie Gen3 x16", "infiniband EDR x4", "ethernet 25 Gbit/s".
std::string sheet_text(const Link& link);

// Similar links on the way of long messages between the first two ranks; or a memory, if cores move these messages.
struct LinkGroup {
  std::vector<std::size_t> links; // empty: it is a memory
  std::vector<std::string> names; // "node0.cpu0-node0.hca", without the type
  std::string what;               // the sheet_text of a link
  BytesPerSecond rate;            // rate of a message in one direction, with all of its stripes
};
std::vector<LinkGroup> groups_on_way(const Scenario& scenario);

// Returns the first rank in another node than rank 0; else on another device; else 1.
int far_rank(const Scenario& scenario);

// The scenarios share platform, fabric and ranks. Similar links on one way have one common fault, since a log cannot
// distinguish them. Usual faults come first.
std::vector<PlantableFault> possible_faults(std::span<const Scenario> scenarios);

Scenario with_fault(const Scenario& scenario, const PlantableFault& fault);

// A scenario with a measured curve → an input of calibration.

// The path class is the index of the rule in the scenario's fabric. Errors: the scenario is no test of two ranks with a
// reference, or the curve is faster than the path can be.
Result<Observation> observe(const Scenario& scenario);

// Scenarios with measured curves → the predicted values at every size.

// Runs each scenario, which must have a reference, in a process of its own. Scenarios that cannot run are left out.
std::vector<PredictedCurve> predict_curves(std::span<const Scenario> scenarios, int jobs);

// Returns the scenarios, which share platform and fabric, on a platform with the result of a calibration.
std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const CalibrationRecord& record);
std::vector<Scenario> with_found(std::span<const Scenario> scenarios, const TunedAdjustments& tuned);

// The measured curve of two ranks → the sizes at which protocols change, and the cost of each change.

// Returns the times of messages by size. For windows, and if both ends send at once, it is the time per message in one
// direction. The scenario is a test of two ranks with a reference.
Curve message_times(const Scenario& scenario);

// For a job of more ranks it gives only the first figures. If the platform is unknown, the variables are those for any
// place; otherwise those of the path's network and of the platform's library.
ExplainedTable explain_table(const Scenario& scenario, bool is_known);

} // namespace kakehashi
