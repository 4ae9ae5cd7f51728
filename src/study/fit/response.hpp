// A field of a platform and measured times → the errors of simulated times, for any value of the field.
#pragma once

#include "base/error.hpp"
#include "study/fit/collective_field.hpp"

#include <map>

namespace kakehashi {

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
  explicit Response(std::map<double, Misses> misses) : misses_(std::move(misses)) {} // by the logarithms of the values

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

} // namespace kakehashi
