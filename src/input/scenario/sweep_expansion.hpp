// Dimensions and the documents that they change → the variants of a sweep.
#pragma once

#include "input/scenario/dimension.hpp"
#include "model/sweep.hpp"

namespace kakehashi {

struct SweepDocuments {
  const JsonDocument& document; // of the scenario
  const JsonDocument& platform;
  const Scenario& scenario; // as it stands
};

// Adds fields and variants; the first is the scenario as it stands. Faults: every value that alone makes a file wrong;
// if there is none, every combination that does; too many variants.
void expand(const SweepDocuments& documents, const std::vector<Dimension>& dimensions, Sweep& sweep, Faults& faults);

} // namespace kakehashi
