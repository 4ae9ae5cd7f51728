// Dimensions, and the documents that they change → the variants of a sweep.
#pragma once

#include "input/scenario/dimension.hpp"
#include "model/sweep.hpp"

namespace kakehashi {

struct SweepDocuments {
  const JsonDocument& document; // of the scenario
  const JsonDocument& platform;
  const Scenario& scenario; // the unchanged one
};

// Adds the fields and variants; the first variant is the unchanged scenario. Faults: every value that makes a file
// wrong by itself; without such values, every combination that does; too many variants.
void expand(const SweepDocuments& documents, const std::vector<Dimension>& dimensions, Sweep& sweep, Faults& faults);

} // namespace kakehashi
