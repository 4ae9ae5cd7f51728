// The places of a job and an MPI library → the library's best algorithm for each size, found adaptively.
#pragma once

#include "model/decision.hpp"
#include "result/tuning.hpp"
#include "study/sweep/evaluation.hpp"

#include <map>

namespace kakehashi {

struct TuneRequest {
  std::vector<std::string> placements; // names of the sweep's first variants, in this order
  std::vector<Collective> collectives;
  std::vector<int> communicators;   // numbers of ranks, ascending; a communicator has the first ranks of a placement
  std::vector<std::uint64_t> sizes; // sizes at the start; empty: the usual ones
  std::optional<double> margin;     // the gain that a change needs, as a share; none: the typical error of predictions
  std::optional<std::string_view> release;        // of the library, as in forms_of; none: the usual one
  std::shared_ptr<const CollectiveRules> against; // another file of rules; may be null
  std::map<std::string, Seconds> measured; // times by confirming_file; they correct predictions of the same choice
  EvaluationOptions how;
  std::function<void(std::size_t done, std::size_t all)> progress;
};

// `places` has a variant for each placement, with any benchmark; it grows by what is run. Errors: a run with the
// library's own choice failed; a measured time belongs to no choice that was run; an interrupt.
Result<Tuning> tune(Sweep& places, Outcomes known, const TuneRequest& request);

} // namespace kakehashi
