// A field of a platform and measured times → how far simulated times are off, whatever value the field has.
#pragma once

#include "base/error.hpp"
#include "study/fit/collective_field.hpp"

#include <map>

namespace kakehashi {

// Of each scenario, at each point of its reference, ln(simulated / measured).
using Misses = std::vector<std::vector<double>>;

// Errors: those of the first scenario that cannot run.
Result<Misses> misses_of(const std::vector<Scenario>& scenarios, int jobs);

// Which points count.
using Chosen = std::function<bool(std::size_t scenario, std::size_t point)>;

// Over those that have chosen points, the mean of the scenarios' means of |simulated / measured - 1|; 0: none has.
double mean_error(const Misses& misses, const Chosen& chosen);

Misses sum(Misses one, const Misses& other, double factor);

class Response {
public:
  explicit Response(std::map<double, Misses> misses) : misses_(std::move(misses)) {} // by logarithms of the values

  Misses at(double logarithm) const; // between two values on a line
  // Where the chosen points miss least, once that has been added to them.
  double best(const Chosen& chosen, const Misses& added) const;
  // How far up and down from there the squares of the misses stay what they may be in four of five cases; none: as far
  // as there are values.
  std::optional<double> bound(double best, double direction, const Chosen& chosen) const;
  // By how much, on average, its points move from one end to the other.
  double reach(std::size_t scenario) const;

private:
  std::map<double, Misses> misses_;

  double low() const { return misses_.begin()->first; }
  double high() const { return misses_.rbegin()->first; }
};

// Around a logarithm, so far apart that a line between two of them will do. The misses there, if they are known.
Result<Response> response_of(const std::vector<Scenario>& scenarios, const OpenField& field, double logarithm,
                             const Misses* there, bool is_fine, int jobs);

} // namespace kakehashi
