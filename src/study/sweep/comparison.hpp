// The same workload on several fabrics or platforms → the winner at each size, its margin and the reason.
#pragma once

#include "base/error.hpp"
#include "model/scenario.hpp"
#include "result/comparison.hpp"
#include "study/pool/pool.hpp"

namespace kakehashi {

struct Contender {
  std::string name;
  Scenario scenario;
};

// All have the same workload. If winners change between two sizes, it seeks the size at which they do: the first one,
// or the first multiple of what fabrics' alignments ask for. With Crossovers::between_sizes it does not seek: a winner
// counts from the first size of the workload at which it wins.
enum class Crossovers { sought, between_sizes };
Result<Comparison> compare(const std::vector<Contender>& contenders, int jobs, const StudyProgress& progress,
                           Crossovers crossovers = Crossovers::sought);

} // namespace kakehashi
