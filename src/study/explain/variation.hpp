// A scenario → the numbers of its platform on which its run may depend, and the run with some of them scaled.
#pragma once

#include "model/scenario.hpp"
#include "study/explain/parameter.hpp"

#include <map>

namespace kakehashi {

using Parameters = std::map<std::string, Parameter>; // by name
struct Change {
  const Parameter* parameter = nullptr;
  double factor = 1;
};

// Includes the sizes at which regimes change, the cost of reductions, and the numbers of decision tables.
Result<Parameters> parameters_of(const Scenario& scenario);
Scenario changed(const Scenario& scenario, const std::vector<Change>& changes);

// Whether both scenarios have the same figures, whatever their names are.
bool is_same_run(const Scenario& a, const Scenario& b);
// Whether `run` is one size of the scenario's benchmark, on the same fabric.
bool is_one_size_of(const Scenario& run, const Scenario& scenario);

} // namespace kakehashi
