// Catalogue → the score of every curve and claim, each simulated in a process of its own.
#pragma once

#include "result/validation.hpp"
#include "spec/catalogue.hpp"
#include "study/pool.hpp"

namespace kakehashi {

// `progress` is told how many of how many runs are done.
Validation validate(const Catalogue& catalogue, int jobs, const StudyProgress& progress);

} // namespace kakehashi
