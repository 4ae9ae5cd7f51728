// A catalogue → the score of every curve and claim, each simulated in a process of its own; and the effect of halving
// and doubling each number of the platforms.
#pragma once

#include "model/catalogue.hpp"
#include "result/sensitivity.hpp"
#include "result/validation.hpp"
#include "study/pool/pool.hpp"

namespace kakehashi {

// `large` includes claims of thousands of ranks, which take most of the time; otherwise these are pending.
Validation validate(const Catalogue& catalogue, bool large, int jobs, const Team* team, const StudyProgress& progress);

// The numbers to vary: all of them; or only as many as it takes to find faults. These are the numbers whose sources
// name a line and the combination that the line names; if they do not turn the line's verdict, all numbers.
enum class Depth { everything, faults };

// Checks whether each line's declared role is the one that its numbers show. Lines that cannot run have no effects.
// Faults of a line: no role is declared, another one is found, or the line passes and nothing turns its verdict.
Sensitivity sensitivity(const Catalogue& catalogue, bool large, Depth depth, int jobs, const Team* team,
                        const StudyProgress& progress);

} // namespace kakehashi
