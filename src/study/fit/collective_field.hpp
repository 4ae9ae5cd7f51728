// Benchmarks of collective operations → the numbers of their platform that messages between two ranks do not show.
#pragma once

#include "model/scenario.hpp"

#include <functional>

namespace kakehashi {

struct OpenField {
  std::string name;                 // as in a platform file, below a device or below the root: "mpi/reduction"
  std::vector<std::string> devices; // the devices that have it; empty: the MPI library
  std::optional<double> now;        // none: it limits nothing
  double usual = 0;                 // where a search begins: `now`, if there is one
  double scale = 1;                 // factor from the value to the number in `unit`
  std::string_view unit;
  std::function<void(Platform&, MpiSettings&, double)> set;

  std::string text(double value) const;
};

// Returns the fields of the ranks' devices and of their nodes' adapters; those that differ most between machines come
// first. The scenarios share a platform file.
std::vector<OpenField> open_fields(std::span<const Scenario> scenarios);

// Returns the scenarios on a platform in which the field has this value.
std::vector<Scenario> with_value(const std::vector<Scenario>& scenarios, const OpenField& field, double value);

} // namespace kakehashi
