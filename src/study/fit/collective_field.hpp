// Benchmarks of collective operations → the numbers of their platform that messages between two ranks do not tell.
#pragma once

#include "model/scenario.hpp"

#include <functional>

namespace kakehashi {

struct OpenField {
  std::string name;                 // as a platform file has it below a device, or below the root: "mpi/reduction"
  std::vector<std::string> devices; // that have it; none: the MPI library
  std::optional<double> now;        // none: it limits nothing
  double usual = 0;                 // where a search begins: what it is now, unless that is none
  double scale = 1;                 // times the value: its number in that unit
  std::string_view unit;
  std::function<void(Platform&, MpiSettings&, double)> set;

  std::string text(double value) const;
};

// Of the devices that the ranks are on, and the adapters of their nodes, those first that machines differ in most. The
// scenarios share a platform file.
std::vector<OpenField> open_fields(std::span<const Scenario> scenarios);

// The scenarios on a platform in which the field has that value.
std::vector<Scenario> with_value(const std::vector<Scenario>& scenarios, const OpenField& field, double value);

} // namespace kakehashi
