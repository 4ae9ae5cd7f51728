// Measured collective operations → the fields of their platform that they determine, as held-out measurements show.
#pragma once

#include "model/scenario.hpp"
#include "result/collective_fit.hpp"
#include "study/pool/progress.hpp"

namespace kakehashi {

// The scenarios share a platform file. Each is a benchmark of a collective operation with a reference. All fields are
// fitted together by simulation. A field that does not improve the prediction of held-out times is left out and keeps
// its value. A log is held out as a whole if all fields that move it move others, too; else each half of its sizes in
// turn. Errors: a scenario cannot run.
Result<CollectiveFit> fit_collectives(const std::vector<Scenario>& scenarios, int jobs,
                                      const StudyProgress& progress = {});

} // namespace kakehashi
