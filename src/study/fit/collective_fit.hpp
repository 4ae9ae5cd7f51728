// Measured collective operations → the fields of their platform that they determine, as held-out measurements show.
#pragma once

#include "model/scenario.hpp"
#include "result/collective_fit.hpp"
#include "study/run/progress.hpp"

namespace kakehashi {

// The scenarios share a platform file; each is a benchmark of a collective operation with a reference. All fields are
// fitted together by simulating them. Those that do not help where a fit has not seen the measured times are left out
// and stay: a log is held out as a whole if all fields that move it move others, else each half of its sizes by turns.
// Errors: a scenario that cannot run.
Result<CollectiveFit> fit_collectives(const std::vector<Scenario>& scenarios, int jobs,
                                      const StudyProgress& progress = {});

} // namespace kakehashi
