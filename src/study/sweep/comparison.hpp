// The same workload on several fabrics or platforms → who wins where, by how much and why.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "result/comparison.hpp"
#include "study/run/pool.hpp"

namespace kakehashi {

struct Contender {
  std::string name;
  Scenario scenario;
};

// All have the same workload. Where winners change between two sizes, the size at which they do is sought: the first
// whole one, or the first multiple of what a fabric's alignment asks for.
// Crossovers::between_sizes does not seek: a winner counts from the workload's first size on at which it wins.
enum class Crossovers { sought, between_sizes };
Result<Comparison> compare(const std::vector<Contender>& contenders, int jobs, const StudyProgress& progress,
                           Crossovers crossovers = Crossovers::sought);

} // namespace kakehashi
