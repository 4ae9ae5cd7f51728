// A job's places and an MPI library → which of its algorithms to take for which sizes, adaptively.
#pragma once

#include "model/decision.hpp"
#include "result/tuning.hpp"
#include "study/sweep/evaluation.hpp"

#include <map>

namespace kakehashi {

struct TuneRequest {
  std::vector<std::string> placements; // names; of the sweep's first variants, in this order
  std::vector<Collective> collectives;
  std::vector<int> communicators;                 // numbers of ranks, ascending: the first ranks of a placement
  std::vector<std::uint64_t> sizes;               // to begin with; empty: the usual ones
  std::optional<double> margin;                   // in parts; none: what predictions are typically off by
  std::shared_ptr<const CollectiveRules> against; // another file of rules; may be null
  std::map<std::string, Seconds> measured; // times by confirming_file; they correct predictions of the same choice
  EvaluationOptions how;
  std::function<void(std::size_t done, std::size_t all)> progress;
};

// places: a variant for each placement, with any benchmark; it grows by what is run. Errors: a run failed with the
// library's own choice; a measured time is of no choice that was run; interrupted.
Result<Tuning> tune(Sweep& places, Outcomes known, const TuneRequest& request);

} // namespace kakehashi
