// Catalogue → the score of every curve and claim, each simulated in a process of its own; and what halving and doubling
// each number of the platforms does to it.
#pragma once

#include "model/catalogue.hpp"
#include "result/sensitivity.hpp"
#include "result/validation.hpp"
#include "study/run/pool.hpp"

namespace kakehashi {

// `large`: claims of thousands of ranks, too, which take most of the time; else they are pending.
Validation validate(const Catalogue& catalogue, bool large, int jobs, const Team* team, const StudyProgress& progress);

// The numbers to vary: all of them; or what it takes to find faults, which are the numbers whose sources name a line
// and the combination that it names, and every number only where those do not turn it.
enum class Depth { everything, faults };

// Whether each line's declared role is what its numbers show. Lines that nobody can run have no effects. Faults of a
// line: no role is declared, the found one is another, or it passes and nothing turns it.
Sensitivity sensitivity(const Catalogue& catalogue, bool large, Depth depth, int jobs, const Team* team,
                        const StudyProgress& progress);

} // namespace kakehashi
