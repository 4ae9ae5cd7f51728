// Catalogue → what halving and doubling each number of the platforms does to each line of the score, and whether its
// declared role is what this shows.
#pragma once

#include "model/catalogue.hpp"
#include "result/sensitivity.hpp"
#include "study/run/pool.hpp"

namespace kakehashi {

// The numbers to vary: all of them; or what it takes to find faults, which are the numbers whose sources name a line
// and the combination that it names, and every number only where those do not turn it.
enum class Depth { everything, faults };

// `large` as for validate. Lines that nobody can run have no effects. Faults of a line: no role is declared, the found
// one is another, or it passes and nothing turns it.
Sensitivity sensitivity(const Catalogue& catalogue, bool large, Depth depth, int jobs, const Team* team,
                        const StudyProgress& progress);

} // namespace kakehashi
