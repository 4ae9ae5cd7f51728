// Catalogue → the score of every curve and claim, each simulated in a process of its own.
#pragma once

#include "model/catalogue.hpp"
#include "result/validation.hpp"
#include "study/run/pool.hpp"

namespace kakehashi {

// `large`: claims of thousands of ranks, too, which take most of the time; else they are pending.
Validation validate(const Catalogue& catalogue, bool large, int jobs, const Team* team, const StudyProgress& progress);

} // namespace kakehashi
