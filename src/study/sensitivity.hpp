// Catalogue → what halving and doubling each number of the platforms does to each line of the score, and whether its
// declared role is what this shows.
#pragma once

#include "model/catalogue.hpp"
#include "result/sensitivity.hpp"
#include "study/pool.hpp"

namespace kakehashi {

// `large` as for validate. Lines that nobody can run have no effects. Faults of a line: no role is declared, the found
// one is another, or it passes and nothing turns it.
Sensitivity sensitivity(const Catalogue& catalogue, bool large, int jobs, const StudyProgress& progress);

} // namespace kakehashi
